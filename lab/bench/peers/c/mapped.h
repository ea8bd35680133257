/* A classic little-endian pcap file, and the hop from record to record: FILE ROUNDS PACKETS. It is mapped anew each round,
 * as the peers open it anew. */
#include "found.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* look counts the packet too; it is known where this is inlined, and is inlined in its turn */
__attribute__((always_inline))
static inline int over_mapped(int argc, char **argv, void (*look)(const uint8_t *, uint32_t, struct found *)) {
    if (argc != 4) return 2;
    for (int round = atoi(argv[2]); round > 0; round--) {
        uint64_t most = strtoull(argv[3], NULL, 10);
        double start = seconds();
        int fd = open(argv[1], O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st)) return 3;
        uint8_t *file = (uint8_t *)mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file == MAP_FAILED) return 3;
        struct found found = {0, 0, 0, 0};
        for (uint64_t at = 24; at + 16 <= (uint64_t)st.st_size && found.packets < most;) {
            uint32_t length;
            memcpy(&length, file + at + 8, 4);
            if (at + 16 + length > (uint64_t)st.st_size) break;
            look(file + at + 16, length, &found);
            at += 16 + length;
        }
        munmap(file, st.st_size);
        close(fd);
        tell(&found, seconds() - start);
    }
    return 0;
}
