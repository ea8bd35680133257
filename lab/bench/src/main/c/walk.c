/* Walks a mapped pcap file: Ethernet, VLAN tags, IPv4 or IPv6, UDP or TCP; sums ports and payload lengths.
 * The same work as WalkBenchmark.java, for comparison: cc -O3 -march=native -o walk walk.c && ./walk FILE [ROUNDS]
 * Prints nanoseconds a packet for each round, and the sum. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

static inline uint32_t le32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return v; }
static inline uint16_t be16(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return __builtin_bswap16(v); }

/* what a walk finds, kept like PacketWalker keeps it: type, start, header length, length of each layer */
struct layers { uint32_t count; uint32_t at[32][4]; };

static inline void put(struct layers *l, uint32_t type, uint32_t start, uint32_t header, uint32_t length) {
    uint32_t *e = l->at[l->count++];
    e[0] = type; e[1] = start; e[2] = header; e[3] = length;
}

static uint64_t frame(const uint8_t *p, uint32_t len, struct layers *l) {
    l->count = 0;
    if (len < 14) return 0;
    uint32_t at = 14, end = len;
    uint16_t type = be16(p + 12);
    put(l, 1, 0, 14, len);
    while (type == 0x8100 || type == 0x88a8) {
        if (end - at < 4 || l->count > 24) return 0;
        type = be16(p + at + 2);
        put(l, 2, at, 4, end - at);
        at += 4;
    }
    uint8_t proto;
    if (type == 0x800) {
        if (end - at < 20) return 0;
        uint32_t ihl = (p[at] & 15) * 4, total = be16(p + at + 2);
        if (p[at] >> 4 != 4 || ihl < 20 || total < ihl) return 0;
        if (at + total < end) end = at + total;
        if (end - at < ihl) return 0;
        proto = p[at + 9];
        put(l, 3, at, ihl, end - at);
        if (be16(p + at + 6) & 0x1fff) return 0;
        at += ihl;
    } else if (type == 0x86dd) {
        if (end - at < 40 || p[at] >> 4 != 6) return 0;
        uint32_t total = 40 + be16(p + at + 4);
        if (at + total < end) end = at + total;
        proto = p[at + 6];
        put(l, 4, at, 40, end - at);
        at += 40;
    } else return 0;
    if (proto == 17) {
        if (end - at < 8) return 0;
        uint32_t n = be16(p + at + 4);
        if (n < 8) return 0;
        if (at + n < end) end = at + n;
        put(l, 5, at, 8, end - at);
        return (uint64_t)be16(p + at) + be16(p + at + 2) + (end - at - 8);
    }
    if (proto == 6) {
        if (end - at < 20) return 0;
        uint32_t n = (p[at + 12] >> 4) * 4;
        if (n < 20 || end - at < n) return 0;
        put(l, 6, at, n, end - at);
        return (uint64_t)be16(p + at) + be16(p + at + 2) + (end - at - n);
    }
    return 0;
}

int main(int argc, char **argv) {
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) { fprintf(stderr, "walk FILE [ROUNDS]: a classic little-endian pcap of Ethernet\n"); return 2; }
    int rounds = argc > 2 ? atoi(argv[2]) : 10;
    for (int r = 0; r < rounds; r++) {
        struct timespec a, b;
        struct layers l;
        uint64_t sum = 0, packets = 0;
        clock_gettime(CLOCK_MONOTONIC, &a);
        /* mapped anew each round, as the Java side opens the file anew */
        const uint8_t *m = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (m == MAP_FAILED) { perror("mmap"); return 2; }
        for (size_t o = 24; o + 16 <= (size_t)st.st_size;) {
            uint32_t len = le32(m + o + 8);
            if (o + 16 + len > (size_t)st.st_size) break;
            sum += frame(m + o + 16, len, &l);
            __asm__ volatile("" : : "g"(&l) : "memory");
            packets++;
            o += 16 + len;
        }
        munmap((void *)m, st.st_size);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ns = (b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec);
        printf("%.1f ms, %.1f ns a packet, %llu packets, sum %llu\n", ns / 1e6, ns / packets, (unsigned long long)packets, (unsigned long long)sum);
    }
    return 0;
}
