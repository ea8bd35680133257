/* What every peer in C or C++ counts, and the line that it prints for a round. */
#ifndef FOUND_H
#define FOUND_H
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct found { uint64_t packets, tcp, udp, ports; };

static inline double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static inline void tell(const struct found *f, double took) {
    printf("%llu %llu %llu %llu %.0f\n", (unsigned long long)f->packets, (unsigned long long)f->tcp,
           (unsigned long long)f->udp, (unsigned long long)f->ports, took * 1e9);
    fflush(stdout);
}
#endif
