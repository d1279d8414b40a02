#include <config.h>

#include "run/program.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "run/cargo.h"
#include "run/cargo_env.h"
#include "run/saved_profile.h"
#include "run/target.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AT(member) offsetof(struct build_request, member)

static const char *const message_formats[] = {"human", "short", NULL};

const struct option_def program_options[] = {
    {.name = "bin",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME|PATH",
     .offset = AT(bin),
     .help = "this binary of the package, or outside of one on $PATH; or the executable at PATH"},
    {.name = "example",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(example),
     .help = "this example"},
    {.name = "test",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = AT(test),
     .help = "this integration test, run in the package's folder"},
    {.name = "bench",
     .kind = OPTION_ONCE,
     .value = "NAME",
     .offset = AT(bench),
     .help = "this benchmark, run with --bench in the package's folder"},
    {.name = "lib",
     .kind = OPTION_FLAG,
     .offset = AT(lib),
     .help = "the library's unit tests, run in the package's folder"},
    {.name = "bins",
     .kind = OPTION_FLAG,
     .offset = AT(bins),
     .help = "the only binary; several are listed"},
    {.name = "examples", .kind = OPTION_FLAG, .offset = AT(examples), .help = "the only example"},
    {.name = "tests",
     .kind = OPTION_FLAG,
     .offset = AT(tests),
     .help = "the only integration test"},
    {.name = "benches", .kind = OPTION_FLAG, .offset = AT(benches), .help = "the only benchmark"},
    {.name = "test-harness",
     .kind = OPTION_FLAG,
     .offset = AT(test_harness),
     .help = "the unit tests of --bin or --example, not the program itself"},
    {.name = "package",
     .letter = 'p',
     .kind = OPTION_ONCE,
     .value = "SPEC",
     .offset = AT(package),
     .help = "the package to look in"},
    {.name = NULL}};

const struct option_def build_options[] = {
    {.name = "release",
     .letter = 'r',
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(release),
     .help = "build with optimisations"},
    {.name = "profile",
     .kind = OPTION_STRING,
     .value = "NAME",
     .offset = AT(profile),
     .help = "build with this profile"},
    {.name = "features",
     .letter = 'F',
     .kind = OPTION_LIST,
     .value = "FEATURES",
     .offset = AT(features),
     .help = "features to switch on"},
    {.name = "all-features",
     .kind = OPTION_FLAG,
     .offset = AT(all_features),
     .help = "switch on all features"},
    {.name = "no-default-features",
     .kind = OPTION_FLAG,
     .offset = AT(no_default_features),
     .help = "leave the default feature off"},
    {.name = "target",
     .kind = OPTION_STRING,
     .value = "TRIPLE",
     .offset = AT(target),
     .help = "build for this target"},
    {.name = "target-dir",
     .kind = OPTION_STRING,
     .value = "DIRECTORY",
     .offset = AT(target_dir),
     .help = "where cargo builds"},
    {.name = "manifest-path",
     .kind = OPTION_STRING,
     .value = "PATH",
     .offset = AT(manifest_path),
     .help = "the Cargo.toml of the package or workspace"},
    {.name = "locked",
     .kind = OPTION_FLAG,
     .offset = AT(locked),
     .help = "fail where Cargo.lock is not up to date"},
    {.name = "offline",
     .kind = OPTION_FLAG,
     .offset = AT(offline),
     .help = "do without the network"},
    {.name = "frozen",
     .kind = OPTION_FLAG,
     .offset = AT(frozen),
     .help = "as if --locked and --offline were given"},
    {.name = "jobs",
     .letter = 'j',
     .kind = OPTION_STRING,
     .value = "N",
     .offset = AT(jobs),
     .help = "build with so many jobs at once"},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPTION_COUNT,
     .offset = AT(verbose),
     .help = "have cargo show what it does; -vv: with the output of build scripts"},
    {.name = "config",
     .kind = OPTION_LIST,
     .value = "KEY=VALUE|PATH",
     .offset = AT(config),
     .help = "a setting of cargo, or a file of them; repeatable"},
    {.name = "unstable",
     .letter = 'Z',
     .kind = OPTION_LIST,
     .value = "FLAG",
     .offset = AT(unstable),
     .help = "an unstable flag of a nightly cargo; repeatable"},
    {.name = "message-format",
     .kind = OPTION_CHOICE,
     .value = "FORMAT",
     .offset = AT(message_format),
     .help = "rustc's messages: human or short",
     .choices = message_formats},
    {.name = "no-debuginfo",
     .kind = OPTION_FLAG,
     .offset = AT(no_debuginfo),
     .help = "leave the build alone; else debug=1 (for data, 2) and strip=none are set for it, for "
             "names, lines and types"},
    {.name = NULL}};

/* --bin is a path where it has a '/' or names a file that is there. */
static bool is_path(const char *bin)
{
    struct stat st;

    return strchr(bin, '/') || (stat(bin, &st) == 0 && S_ISREG(st.st_mode));
}

/* The first option that only cargo could obey, or NULL. */
static const char *cargo_option(const struct build_request *r)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"package", r->package},
        {"release", r->release},
        {"profile", r->profile},
        {"features", r->features.n},
        {"all-features", r->all_features},
        {"no-default-features", r->no_default_features},
        {"target", r->target},
        {"target-dir", r->target_dir},
        {"manifest-path", r->manifest_path},
        {"locked", r->locked},
        {"offline", r->offline},
        {"frozen", r->frozen},
        {"jobs", r->jobs},
        {"verbose", r->verbose},
        {"config", r->config.n},
        {"unstable", r->unstable.n},
        {"message-format", r->message_format},
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

int build_request_check(const struct build_request *r)
{
    const char *option;

    if (!!r->bin + !!r->example + !!r->test + !!r->bench + r->lib + r->bins + r->examples +
            r->tests + r->benches >
        1)
        return message_usage("--bin, --example, --test, --bench, --lib, --bins, --examples, "
                             "--tests and --benches exclude each other; one program is profiled "
                             "at a time");
    if (r->test_harness && (r->test || r->bench || r->tests || r->benches))
        return message_usage("--test-harness is for the unit tests of --bin, --example or --lib");
    if (r->test_harness && r->bin && is_path(r->bin))
        return message_usage("--test-harness is for cargo, but --bin '%s' is a file that is run as "
                             "it is; leave one out",
                             r->bin);
    if (r->release && r->profile)
        return message_usage("--release and --profile exclude each other; choose one");
    if (r->bin && is_path(r->bin) && (option = cargo_option(r)))
        return message_usage("--%s is for cargo, but --bin '%s' is a file that is run as it is; "
                             "leave one out",
                             option, r->bin);
    return 0;
}

static int find_file(const char *bin, struct program *program)
{
    const char *slash = strrchr(bin, '/');

    /* Links are not followed: a program may go by the name it is called by. Without a '/' it would
     * be looked up on PATH. */
    program->path = slash ? xstrdup(bin) : xasprintf("./%s", bin);
    program->name = xstrdup(slash && slash[1] ? slash + 1 : bin);
    return 0;
}

static char *folder_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? xstrndup(path, (size_t)(slash - path)) : NULL;
}

static char *target_folder(const struct build_request *request, const json_t *metadata)
{
    const char *folder = json_string_value(json_object_get(metadata, "target_directory"));

    if (request->target_dir)
        folder = request->target_dir;
    return folder ? xstrdup(folder) : NULL;
}

static int find_by_cargo(const struct build_request *request, struct program *program)
{
    json_t *metadata = cargo_metadata(request);
    const char *root = json_string_value(json_object_get(metadata, "workspace_root"));
    struct cargo_target target;
    int status = metadata ? target_choose(request, metadata, &target) : STATUS_ERROR;

    program->root = root ? xstrdup(root) : NULL;
    program->target = metadata ? target_folder(request, metadata) : NULL;
    if (!status)
        status = cargo_build(request, &target, program);
    if (status) {
        free(program->root);
        free(program->target);
        program->root = program->target = NULL;
    } else {
        bool is_test = target.harness || !strcmp(target.kind, "test");

        cargo_environment(request, target.package, &program->environment);
        program->is_bench = !strcmp(target.kind, "bench");
        program->name = xstrdup(target.name);
        if (is_test || program->is_bench)
            program->folder =
                folder_of(json_string_value(json_object_get(target.package, "manifest_path")));
    }
    json_decref(metadata);
    return status;
}

/* Outside of packages: cargo has nothing to build. */
static int find_program(const char *bin, struct program *program)
{
    char *path = process_find(bin);
    int status = path ? find_file(path, program)
                      : message_error("no package here, and no program '%s' on PATH; go to a "
                                      "package, name one with --manifest-path, or name an "
                                      "executable with --bin PATH",
                                      bin);

    free(path);
    return status;
}

static bool is_in_package(void)
{
    char *package = saved_project();

    free(package);
    return package != NULL;
}

int program_find(const struct build_request *request, struct program *program)
{
    *program = (struct program){0};
    if (request->bin && is_path(request->bin))
        return find_file(request->bin, program);
    if (request->bin && *request->bin && !cargo_option(request) && !request->test_harness &&
        !is_in_package())
        return find_program(request->bin, program);
    return find_by_cargo(request, program);
}

void program_free(struct program *program)
{
    free(program->path);
    free(program->name);
    free(program->folder);
    free(program->root);
    free(program->libraries);
    string_list_free_texts(&program->environment);
    free(program->target);
    free(program->profile);
    free(program->features);
    packages_free(&program->packages);
    *program = (struct program){0};
}

void build_request_free(struct build_request *request)
{
    string_list_free(&request->features);
    string_list_free(&request->config);
    string_list_free(&request->unstable);
}
