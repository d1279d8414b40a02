// Threads whose order decides what they do: "order CASE" prints what must hold in any order, and
// counts differ from order to order.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, MOST = 4000 };
static pthread_t threads[THREADS + 1];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int taken[MOST], n_taken; // who came, one after the other
static int ends[2];
static volatile int done;
static volatile sig_atomic_t hits;

static unsigned work(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525 + 1013904223;
    return x | 1;
}

// The work depends on who came when.
static unsigned judge(void)
{
    unsigned sum = 0;
    for (int i = 1; i < n_taken; i++)
        sum += taken[i] == taken[i - 1] ? work(20) : work((unsigned)taken[i] * 7);
    return sum;
}

static void begin(void *(*run)(void *), int n)
{
    for (intptr_t i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
}

static void join(int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void count(int sig)
{
    hits += sig != 0;
}

static void handle(int sig, int flags)
{
    struct sigaction action = {.sa_handler = count, .sa_flags = flags};
    sigaction(sig, &action, NULL);
}

static void pass(long ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

static void *take(void *who)
{
    for (int i = 0; i < 300; i++) {
        work(200 + 50 * (unsigned)(intptr_t)who);
        pthread_mutex_lock(&mutex);
        taken[n_taken++] = (int)(intptr_t)who;
        pthread_mutex_unlock(&mutex);
        if (i % 100 == 0)
            sched_yield();
    }
    return NULL;
}

static void *await_change(void *who)
{
    pthread_mutex_lock(&mutex);
    while (n_taken < 200) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 300000 * (long)(intptr_t)who;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&changed, &mutex, &t) == ETIMEDOUT) {
            taken[n_taken++] = (int)(intptr_t)who;
            if (n_taken % 7 == 0)
                pthread_cond_broadcast(&changed);
        }
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *spin(void *unused)
{
    unsigned n = 0;
    while (!done) {
        n += work(50);
        __asm__ volatile("" ::: "memory");
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    return (void *)(intptr_t)(n + (unused != NULL));
}

static void *write_much(void *who)
{
    static char bytes[300000];
    struct iovec two[2] = {{bytes, 100001}, {bytes + 100001, 99999}};
    long n = (intptr_t)who == 1 ? write(ends[1], bytes, sizeof bytes) : writev(ends[1], two, 2);
    return (void *)(n - ((intptr_t)who == 1 ? 300000 : 200000));
}

static void *read_one(void *unused)
{
    char c;
    long n = read(ends[0], &c, 1);
    return (void *)(n < 0 ? (intptr_t)-errno : n + (unused == NULL));
}

static void *read_until_x(void *unused)
{
    for (char c = 0; c != 'x';)
        if (read(ends[0], &c, 1) < 0 && errno == EINTR)
            taken[n_taken++] = (int)work(100) != 0 && unused;
    return NULL;
}

static void *signal_wait(void *unused)
{
    sigset_t set;
    int sum = 0, got = unused == NULL;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    for (int i = 0; i < 3; i++) {
        sigwait(&set, &got);
        sum += got;
    }
    return (void *)(intptr_t)sum;
}

static void *serve(void *unused)
{
    char text[64];
    for (int i = 0; i < 3; i++) {
        int fd = accept(ends[0], NULL, NULL);
        for (ssize_t n; (n = recv(fd, text, sizeof text, 0)) > 0;)
            send(fd, text, (size_t)n, unused == NULL ? 0 : MSG_NOSIGNAL);
        close(fd);
    }
    return NULL;
}

static void *ask(void *address)
{
    char text[64] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    long n = connect(fd, address, sizeof(struct sockaddr_in));
    for (int i = 0; i < 10 && n >= 0; i++) {
        send(fd, "question", 8, 0);
        n += recv(fd, text, sizeof text, 0) > 0;
    }
    close(fd);
    return (void *)n;
}

static pthread_mutex_t inheriting;
static void *own(void *who)
{
    for (int i = 0; i < 100; i++) {
        if (pthread_mutex_lock(&inheriting) == EOWNERDEAD)
            pthread_mutex_consistent(&inheriting);
        taken[n_taken++] = (int)(intptr_t)who;
        if (i % 10 == 0)
            sched_yield();
        if (i == 99 && (intptr_t)who == 2)
            return NULL; // with the mutex
        pthread_mutex_unlock(&inheriting);
    }
    return NULL;
}

static void mutexes(void)
{
    begin(take, THREADS), join(THREADS), printf("%d\n", n_taken + (judge() == 0));
}
static void asks(void)
{
    struct timespec now;
    begin(take, 2), clock_gettime(CLOCK_MONOTONIC, &now), join(2), printf("%d\n", n_taken);
}
static void limits(void)
{
    begin(await_change, 3), join(3), printf("%d\n", n_taken >= 200 && judge());
}
static void spins(void)
{
    begin(spin, 2), pass(3000000), done = 1, join(2), printf("%d\n", done);
}

static void pipes(void)
{
    char bytes[7000];
    void *wrong[2];
    long all = 0;
    pipe(ends);
    begin(write_much, 2);
    for (ssize_t n; all < 500000 && (n = read(ends[0], bytes, sizeof bytes)) > 0; all += n)
        work((unsigned)n / 10);
    pthread_join(threads[0], &wrong[0]);
    pthread_join(threads[1], &wrong[1]);
    printf("%ld %d\n", all, wrong[0] || wrong[1]);
}

static void *add(void *fd)
{
    for (uint64_t i = 1; i < 50; i++)
        write((int)(intptr_t)fd, &i, sizeof i), work(500), pass(100000);
    return NULL;
}

static void events(void)
{
    int epoll = epoll_create1(0), event = eventfd(0, EFD_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN};
    uint64_t sum = 0, n = 0, timed_out = 0;
    epoll_ctl(epoll, EPOLL_CTL_ADD, event, &e);
    pthread_create(&threads[0], NULL, add, (void *)(intptr_t)event);
    while (sum < 49 * 50 / 2) {
        if (epoll_wait(epoll, &e, 1, 1) == 0)
            timed_out++;
        else if (read(event, &n, sizeof n) > 0)
            sum += n, work((unsigned)n);
    }
    join(1);
    printf("%d\n", (int)sum + (timed_out > 1000000));
}

static void nets(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    void *n[3];
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    bind(ends[0], (struct sockaddr *)&at, sizeof at);
    listen(ends[0], 1);
    getsockname(ends[0], (struct sockaddr *)&at, &size);
    pthread_create(&threads[3], NULL, serve, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, ask, &at);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], &n[i]);
    pthread_join(threads[3], NULL);
    printf("%ld %ld %ld\n", (long)n[0], (long)n[1], (long)n[2]);
}

static void children(void)
{
    int status, sum = 0;
    begin(take, 2);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (!child)
            _exit((int)(work(1000) & 1));
        waitpid(child, &status, 0);
        sum += WEXITSTATUS(status);
    }
    join(2);
    printf("%d %d\n", sum, n_taken);
}

static void exits(void)
{
    pipe(ends);
    begin(read_one, 1);
    pthread_create(&threads[1], NULL, spin, NULL);
    pthread_create(&threads[2], NULL, await_change, (void *)1000);
    pass(2000000);
    puts("ends");
}

static void interrupts(void)
{
    void *result;
    handle(SIGUSR1, 0);
    pipe(ends);
    begin(read_one, 1);
    pass(1000000);
    pthread_kill(threads[0], SIGUSR1);
    pthread_join(threads[0], &result);
    handle(SIGUSR1, SA_RESTART);
    begin(read_until_x, 1);
    for (int i = 0; i < 30; i++)
        work(20000), pthread_kill(threads[0], SIGUSR1);
    write(ends[1], "x", 1);
    join(1);
    printf("%d %d\n", (intptr_t)result == -EINTR, hits > 1 && hits <= 31 && !n_taken);
}

static void cancels(void)
{
    void *result;
    pipe(ends);
    begin(read_one, 2);
    pass(1000000);
    pthread_cancel(threads[0]);
    pthread_cancel(threads[1]);
    join(1);
    pthread_join(threads[1], &result);
    printf("%d\n", result == PTHREAD_CANCELED);
}

static void waits(void)
{
    sigset_t set, none;
    struct timespec second = {1, 0};
    struct pollfd unused = {-1, 0, 0};
    void *sum;
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    begin(signal_wait, 1);
    for (int i = 0; i < 3; i++)
        pass(1000000), kill(getpid(), SIGUSR1);
    pthread_join(threads[0], &sum);
    handle(SIGALRM, SA_RESTART);
    struct itimerval soon = {{0, 0}, {0, 5000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    int polled = ppoll(&unused, 1, NULL, &none) < 0 && errno == EINTR;
    setitimer(ITIMER_REAL, &soon, NULL);
    int selected = pselect(0, NULL, NULL, NULL, &second, &none) < 0 && errno == EINTR;
    setitimer(ITIMER_REAL, &soon, NULL);
    int suspended = sigsuspend(&none) < 0 && errno == EINTR, epoll = epoll_create1(0);
    struct epoll_event e;
    setitimer(ITIMER_REAL, &soon, NULL);
    int watched = epoll_pwait(epoll, &e, 1, 1000, &none) < 0 && errno == EINTR;
    printf("%ld %d %d %d %d %d\n", (long)(intptr_t)sum, polled, selected, suspended, watched,
           (int)hits);
}

static void timers(void)
{
    struct itimerval often = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
    struct timespec long_time = {0, 500000000}, left;
    unsigned n = 0;
    handle(SIGALRM, SA_RESTART);
    setitimer(ITIMER_REAL, &often, NULL);
    begin(take, 2);
    while (hits < 5)
        n += work(1000);
    join(2);
    int cut = nanosleep(&long_time, &left) < 0 && errno == EINTR && left.tv_nsec > 400000000;
    setitimer(ITIMER_REAL, &none, NULL);
    hits = 0;
    alarm(1);
    pause();
    printf("%d %d %d\n", n != 0, cut, (int)hits);
}

// Timers that are read: by two descriptors, at a moment, and one that is set to nothing.
static void files(void)
{
    struct itimerspec often = {{0, 2000000}, {0, 2000000}}, none = {{0, 0}, {0, 0}}, left;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), other = dup(fd);
    int epoll = epoll_create1(0), once = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    struct epoll_event e = {.events = EPOLLIN};
    struct pollfd file = {other, POLLIN, 0};
    uint64_t n, sum = 0;
    int early = read(fd, &n, sizeof n) < 0 && errno == EAGAIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, other, &e);
    timerfd_settime(fd, 0, &often, NULL);
    begin(take, 2);
    while (sum < 10)
        if (epoll_wait(epoll, &e, 1, -1) == 1 && read(other, &n, sizeof n) > 0)
            sum += n, work((unsigned)n * 500);
    close(fd);
    join(2);
    pass(5000000);
    timerfd_settime(other, 0, &none, &left);
    int was_set = left.it_interval.tv_nsec == 2000000 && left.it_value.tv_nsec <= 2000000;
    int is_empty = poll(&file, 1, 0) == 0 && read(other, &n, sizeof n) < 0;
    clock_gettime(CLOCK_REALTIME, &none.it_value);
    none.it_value.tv_sec++;
    timerfd_settime(once, TFD_TIMER_ABSTIME, &none, NULL);
    read(once, &n, sizeof n);
    printf("%d %d %d %d\n", early, was_set, is_empty, (int)n);
}

static void count_timer(int sig, siginfo_t *info, void *unused)
{
    hits += sig == SIGUSR2 && info->si_code == SI_TIMER && info->si_value.sival_int == 42 &&
            unused != NULL;
}

static void notify(union sigval value)
{
    pthread_mutex_lock(&mutex);
    done = value.sival_int;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

// Timers that send signals, to the process and to a thread of libc's.
static void made(void)
{
    struct itimerspec soon = {{0, 0}, {0, 1000000}}, often = {{0, 1000000}, {0, 1000000}}, left;
    struct sigaction action = {.sa_sigaction = count_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    sigset_t set;
    timer_t timer, thread;
    event.sigev_value.sival_int = 42;
    sigaction(SIGUSR2, &action, NULL);
    int is_made = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    timer_settime(timer, 0, &soon, NULL);
    pause();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    timer_settime(timer, 0, &often, NULL);
    pass(20000000);
    int first = hits;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    int overrun = timer_getoverrun(timer) > 5;
    timer_gettime(timer, &left);
    int is_set = left.it_interval.tv_nsec == 1000000;
    timer_delete(timer);
    int is_gone = timer_settime(timer, 0, &soon, NULL) < 0 && errno == EINVAL;
    event = (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
    event.sigev_value.sival_int = 7;
    timer_create(CLOCK_REALTIME, &event, &thread);
    begin(take, 2);
    timer_settime(thread, 0, &soon, NULL);
    join(2);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    printf("%d %d %d %d %d %d %d\n", is_made, first, hits > 1, overrun, is_set, is_gone, done);
}

static void owners(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&inheriting, &a);
    begin(own, 3), join(3);
    printf("%d %d\n", n_taken, judge() != 0);
}

// Semaphores of two processes: their order is the system's.
static void shared(void)
{
    sem_t *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    sem_init(s, 1, 0), sem_init(s + 1, 1, 0);
    if (!fork()) {
        for (int i = 0; i < 20; i++)
            sem_wait(s), sem_post(s + 1);
        _exit(0);
    }
    for (int i = 0; i < 20; i++)
        sem_post(s), sem_wait(s + 1);
    wait(&status);
    printf("%d\n", status);
}

static sem_t *handed_over;
static void *await_other(void *unused)
{
    sem_wait(handed_over);
    return unused;
}

// A thread has begun to wait before the process comes to be that wakes it; limits of such waits are
// of the program's clock.
static void handed(void)
{
    int status;
    handed_over = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(handed_over, 1, 0);
    begin(await_other, 1);
    pass(1000000);
    if (!fork())
        _exit(sem_post(handed_over));
    wait(&status);
    join(1);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 50;
    if (!fork())
        pass(5000000), _exit(sem_post(handed_over));
    int woken = sem_timedwait(handed_over, &limit) == 0;
    limit.tv_sec -= 50;
    int is_over = sem_timedwait(handed_over, &limit) < 0 && errno == ETIMEDOUT;
    wait(NULL);
    printf("%d %d %d\n", status, woken, is_over);
}

static void *lock_both(void *unused)
{
    pthread_mutex_lock(&inheriting), pass(1000000), pthread_mutex_lock(&mutex);
    return unused;
}

static void deadlock(void)
{
    pthread_mutex_init(&inheriting, NULL);
    begin(lock_both, 1);
    pthread_mutex_lock(&mutex), pass(3000000), pthread_mutex_lock(&inheriting);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"mutexes", mutexes},   {"limits", limits}, {"spins", spins},
                 {"pipes", pipes},       {"events", events}, {"nets", nets},
                 {"children", children}, {"exits", exits},   {"interrupts", interrupts},
                 {"cancels", cancels},   {"waits", waits},   {"timers", timers},
                 {"owners", owners},     {"shared", shared}, {"deadlock", deadlock},
                 {"files", files},       {"made", made},     {"handed", handed},
                 {"asks", asks}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && !strcmp(argv[1], cases[i].name))
            cases[i].run();
    return 0;
}
