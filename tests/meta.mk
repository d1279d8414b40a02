# Tests of the project itself: layers, style, messages, documents, installation.
meta_tests = \
	%D%/meta/bootstrap.test \
	%D%/meta/docs.test \
	%D%/meta/hacking.test \
	%D%/meta/install.test \
	%D%/meta/layers.test \
	%D%/meta/listed.test \
	%D%/meta/manual.test \
	%D%/meta/messages.test \
	%D%/meta/style.test \
	%D%/meta/tap.test \
	%D%/meta/words.test
TESTS += $(meta_tests)
# tests/distributions and tests/package are run by hand: they install releases of Debian.
EXTRA_DIST += \
	%D%/distributions \
	%D%/mutants \
	%D%/mutants.equivalent \
	%D%/mutants.found \
	%D%/mutate_c.py \
	%D%/package \
	%D%/roots.sh \
	.ci/run \
	$(meta_tests)

# README and the guides: what they show runs.
EXTRA_DIST += %D%/cli/samples.test %D%/cli/samples.py

# The container, the packages, and the GitHub action's steps.
service_tests = %D%/meta/services.test %D%/cli/action.test
TESTS += $(service_tests)
EXTRA_DIST += $(service_tests) %D%/cli/action.py

# make mutants [MUTANTS=200] [MUTANTS_SEED=1] [MUTANTS_FOLDER="parser cli/render"]: small wrong changes of the sources, and whether a test finds each.
MUTANTS = 200
MUTANTS_SEED = 1
MUTANTS_FOLDER =
.PHONY: mutants
mutants:
	MUTANTS='$(MUTANTS)' MUTANTS_SEED='$(MUTANTS_SEED)' MUTANTS_FOLDER='$(MUTANTS_FOLDER)' /usr/bin/python3 $(srcdir)/%D%/mutants $(abs_builddir)
