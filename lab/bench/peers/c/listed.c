/* C over a mapped file, with all layers listed as our walker lists them: walk.c as a peer. FILE ROUNDS PACKETS */
#define main walk_main
#include "../../src/main/c/walk.c"
#undef main
#include "mapped.h"

static inline void list(const uint8_t *p, uint32_t length, struct found *f) {
    struct layers l;
    f->packets++;
    frame(p, length, &l);
    __asm__ volatile("" : : "g"(&l) : "memory");
    if (l.count == 0) return;
    const uint32_t *last = l.at[l.count - 1];
    if (last[0] == 5) f->udp++;
    else if (last[0] == 6) f->tcp++;
    else return;
    f->ports += be16(p + last[1]) + be16(p + last[1] + 2);
}

int main(int argc, char **argv) { return over_mapped(argc, argv, list); }
