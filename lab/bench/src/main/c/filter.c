/* Runs a filter over the frames of a mapped pcap file, with libpcap's own interpreter. The same work as FilterBenchmark.java,
 * for comparison: cc -O3 -march=native -o filter filter.c -lpcap
 *   ./filter FILE ROUNDS EXPRESSION   nanoseconds a packet for each round, and how many frames match
 *   ./filter FILE -p PROGRAMS         for each program of a file in the form of tcpdump -ddd: frames that match, sum of results */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

struct frame { const uint8_t *at; uint32_t captured, wire; };

static inline uint32_t le32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return v; }

static size_t frames(const uint8_t *m, size_t size, struct frame *out) {
    size_t count = 0;
    for (size_t o = 24; o + 16 <= size;) {
        uint32_t len = le32(m + o + 8);
        if (o + 16 + len > size) break;
        if (out) out[count] = (struct frame){m + o + 16, len, le32(m + o + 12)};
        count++;
        o += 16 + len;
    }
    return count;
}

static int programs(const char *file, const struct frame *f, size_t count) {
    FILE *in = fopen(file, "r");
    unsigned length;
    if (!in) { perror(file); return 2; }
    while (fscanf(in, "%u", &length) == 1) {
        struct bpf_insn *insns = calloc(length, sizeof *insns);
        for (unsigned i = 0; i < length; i++) {
            unsigned code, jt, jf, k;
            if (fscanf(in, "%u %u %u %u", &code, &jt, &jf, &k) != 4) return 2;
            insns[i] = (struct bpf_insn){code, jt, jf, k};
        }
        unsigned long long matched = 0, sum = 0;
        for (size_t i = 0; i < count; i++) {
            u_int r = bpf_filter(insns, f[i].at, f[i].wire, f[i].captured);
            matched += r != 0;
            sum += r;
        }
        printf("%llu %llu\n", matched, sum);
        free(insns);
    }
    fclose(in);
    return 0;
}

int main(int argc, char **argv) {
    int fd = argc == 4 ? open(argv[1], O_RDONLY) : -1;
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        fprintf(stderr, "filter FILE ROUNDS EXPRESSION | FILE -p PROGRAMS: a classic little-endian pcap\n");
        return 2;
    }
    const uint8_t *m = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED) { perror("mmap"); return 2; }
    size_t count = frames(m, st.st_size, NULL);
    struct frame *f = calloc(count + 1, sizeof *f);
    frames(m, st.st_size, f);
    if (!strcmp(argv[2], "-p")) return programs(argv[3], f, count);
    pcap_t *p = pcap_open_dead(le32(m + 20), 262144);
    struct bpf_program program;
    if (pcap_compile(p, &program, argv[3], 1, PCAP_NETMASK_UNKNOWN)) { pcap_perror(p, "filter"); return 2; }
    int rounds = atoi(argv[2]);
    for (int r = 0; r < rounds; r++) {
        struct timespec a, b;
        unsigned long long matched = 0;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (size_t i = 0; i < count; i++)
            matched += bpf_filter(program.bf_insns, f[i].at, f[i].wire, f[i].captured) != 0;
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ns = (b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec);
        printf("%.1f ms, %.2f ns a packet, %zu packets, %llu matched\n", ns / 1e6, ns / count, count, matched);
    }
    return 0;
}
