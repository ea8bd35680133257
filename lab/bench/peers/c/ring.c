/* Receives by a ring of TPACKET_V3 until SIGINT: INTERFACE BLOCK_BYTES BLOCKS. Reads the first eight bytes of each packet.
 * Prints packets, drops, and the sum of what was read. */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void) signal;
    stopped = 1;
}

static int failed(const char *what) {
    perror(what);
    return 1;
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "ring INTERFACE BLOCK_BYTES BLOCKS\n");
        return 2;
    }
    struct tpacket_req3 request = {.tp_block_size = atoi(words[2]), .tp_block_nr = atoi(words[3]), .tp_frame_size = 2048,
                                   .tp_retire_blk_tov = 10};
    request.tp_frame_nr = request.tp_block_size / request.tp_frame_size * request.tp_block_nr;
    size_t bytes = (size_t) request.tp_block_size * request.tp_block_nr;
    int version = TPACKET_V3, in = socket(AF_PACKET, SOCK_RAW, 0);
    if (in < 0 || setsockopt(in, SOL_PACKET, PACKET_VERSION, &version, sizeof version)
        || setsockopt(in, SOL_PACKET, PACKET_RX_RING, &request, sizeof request))
        return failed("ring");
    unsigned char *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, in, 0);
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
                                  .sll_ifindex = if_nametoindex(words[1])};
    if (ring == MAP_FAILED || bind(in, (struct sockaddr *) &address, sizeof address)) return failed("ring");
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    puts("ready");
    fflush(stdout);

    struct pollfd waiting = {.fd = in, .events = POLLIN};
    uint64_t packets = 0, sum = 0;
    for (unsigned block = 0;;) {
        struct tpacket_block_desc *at = (void *) (ring + (size_t) block * request.tp_block_size);
        if (!(__atomic_load_n(&at->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER)) {
            if (stopped) break;
            poll(&waiting, 1, 100);
            continue;
        }
        unsigned char *packet = (unsigned char *) at + at->hdr.bh1.offset_to_first_pkt;
        for (unsigned left = at->hdr.bh1.num_pkts; left > 0; left--) {
            struct tpacket3_hdr *header = (void *) packet;
            uint64_t first;
            memcpy(&first, packet + header->tp_mac, sizeof first);
            sum += first;
            packets++;
            packet += header->tp_next_offset;
        }
        __atomic_store_n(&at->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
        block = block + 1 == request.tp_block_nr ? 0 : block + 1;
    }
    struct tpacket_stats_v3 statistics;
    socklen_t length = sizeof statistics;
    if (getsockopt(in, SOL_PACKET, PACKET_STATISTICS, &statistics, &length)) return failed("ring");
    printf("%llu %u %llu\n", (unsigned long long) packets, statistics.tp_drops, (unsigned long long) sum);
    return 0;
}
