/* Receives by AF_XDP until SIGINT, by plain system calls: INTERFACE CHUNKS native|generic. Chunks of 2048 bytes, a power of
 * two of them; half as many receive descriptors. Reads the first eight bytes of each packet. Prints packets, drops, and the sum
 * of what was read. */
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 2048, BURST = 4096, PAUSE_NS = 50000 };

static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void) signal;
    stopped = 1;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void must(int result, const char *what) {
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

static int bpf(int command, union bpf_attr *attribute) {
    return syscall(__NR_bpf, command, attribute, sizeof *attribute);
}

struct ring {
    uint32_t *producer, *consumer, *flags;
    void *entries;
    uint32_t mask;
};

static struct ring map(int socket, struct xdp_ring_offset *at, int option, uint64_t pages, int entries, size_t bytes) {
    must(setsockopt(socket, SOL_XDP, option, &entries, sizeof entries), "ring");
    unsigned char *memory = mmap(NULL, at->desc + entries * bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, socket,
                                 pages);
    must(memory == MAP_FAILED ? -1 : 0, "map a ring");
    return (struct ring) {(void *) (memory + at->producer), (void *) (memory + at->consumer), (void *) (memory + at->flags),
                          memory + at->desc, entries - 1};
}

/* Loads what redirects all to the socket of the queue, else passes; and attaches it. */
static void redirect(int interface, int socket, int flags) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_XSKMAP, .key_size = 4, .value_size = 4, .max_entries = 1};
    int sockets = bpf(BPF_MAP_CREATE, &map), key = 0;
    must(sockets, "map");
    struct bpf_insn code[] = {
        {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = offsetof(struct xdp_md, rx_queue_index)},
        {.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = sockets},
        {0},
        {.code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = 3, .imm = XDP_PASS},
        {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr load = {.prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = sizeof code / sizeof *code,
                           .insns = (uintptr_t) code, .license = (uintptr_t) "Apache-2.0",
                           .expected_attach_type = BPF_XDP};
    int program = bpf(BPF_PROG_LOAD, &load);
    must(program, "program");
    union bpf_attr link = {.link_create = {.prog_fd = program, .target_ifindex = interface, .attach_type = BPF_XDP,
                                           .flags = flags}};
    must(bpf(BPF_LINK_CREATE, &link), "link");
    union bpf_attr put = {.map_fd = sockets, .key = (uintptr_t) &key, .value = (uintptr_t) &socket};
    must(bpf(BPF_MAP_UPDATE_ELEM, &put), "redirect");
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "xdp INTERFACE CHUNKS native|generic\n");
        return 2;
    }
    int interface = if_nametoindex(words[1]), chunks = atoi(words[2]), in = socket(AF_XDP, SOCK_RAW, 0);
    must(in, "socket");
    size_t bytes = (size_t) chunks * CHUNK;
    unsigned char *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    must(memory == MAP_FAILED ? -1 : 0, "memory");
    struct xdp_umem_reg shared = {.addr = (uintptr_t) memory, .len = bytes, .chunk_size = CHUNK};
    must(setsockopt(in, SOL_XDP, XDP_UMEM_REG, &shared, sizeof shared), "share memory");
    struct xdp_mmap_offsets at;
    socklen_t length = sizeof at;
    must(getsockopt(in, SOL_XDP, XDP_MMAP_OFFSETS, &at, &length), "offsets");
    struct ring fill = map(in, &at.fr, XDP_UMEM_FILL_RING, XDP_UMEM_PGOFF_FILL_RING, chunks, sizeof(uint64_t));
    map(in, &at.cr, XDP_UMEM_COMPLETION_RING, XDP_UMEM_PGOFF_COMPLETION_RING, 2, sizeof(uint64_t));
    struct ring received = map(in, &at.rx, XDP_RX_RING, XDP_PGOFF_RX_RING, chunks / 2, sizeof(struct xdp_desc));
    for (int i = 0; i < chunks; i++) ((uint64_t *) fill.entries)[i] = (uint64_t) i * CHUNK;
    __atomic_store_n(fill.producer, chunks, __ATOMIC_RELEASE);
    struct sockaddr_xdp address = {.sxdp_family = AF_XDP, .sxdp_ifindex = interface, .sxdp_flags = XDP_USE_NEED_WAKEUP};
    must(bind(in, (struct sockaddr *) &address, sizeof address), "bind");
    redirect(interface, in, strcmp(words[3], "native") ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    puts("ready");
    fflush(stdout);

    struct pollfd waiting = {.fd = in, .events = POLLIN};
    uint64_t packets = 0, sum = 0;
    uint32_t next = 0, filled = chunks;
    int64_t taken = 0;
    for (;;) {
        uint32_t ready = __atomic_load_n(received.producer, __ATOMIC_ACQUIRE) - next;
        if (ready == 0) {
            if (stopped) break;
            // as Offhook does: where frames come one after the other, a pause instead of a wake-up for each
            if (now() - taken < PAUSE_NS) nanosleep(&(struct timespec) {.tv_nsec = PAUSE_NS}, NULL);
            else poll(&waiting, 1, 100);
            continue;
        }
        taken = now();
        if (ready > BURST) ready = BURST;
        for (uint32_t i = 0; i < ready; i++) {
            struct xdp_desc *packet = (struct xdp_desc *) received.entries + ((next + i) & received.mask);
            uint64_t first;
            memcpy(&first, memory + packet->addr, sizeof first);
            sum += first;
            ((uint64_t *) fill.entries)[(filled + i) & fill.mask] = packet->addr;
        }
        packets += ready;
        next += ready;
        filled += ready;
        __atomic_store_n(received.consumer, next, __ATOMIC_RELEASE);
        __atomic_store_n(fill.producer, filled, __ATOMIC_RELEASE);
        if (*(volatile uint32_t *) fill.flags & XDP_RING_NEED_WAKEUP) recv(in, NULL, 0, MSG_DONTWAIT);
    }
    struct xdp_statistics statistics;
    length = sizeof statistics;
    must(getsockopt(in, SOL_XDP, XDP_STATISTICS, &statistics, &length), "statistics");
    printf("%llu %llu %llu\n", (unsigned long long) packets,
           (unsigned long long) (statistics.rx_dropped + statistics.rx_ring_full), (unsigned long long) sum);
    return 0;
}
