/* Counts the IP packets to one UDP port by a raw socket, one recv a packet, as raw_socket.py does: INTERFACE PORT. Ends by
 * SIGINT, and prints the count. Nothing in the kernel chooses: every frame of the interface comes here and is looked at. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { IP = 14, SHORTEST = 20, LONGEST = 65535 };

static volatile sig_atomic_t over;

static void end(int signal) {
    (void) signal;
    over = 1;
}

static unsigned u16(const unsigned char *at) { return at[0] << 8 | at[1]; }

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "raw_socket INTERFACE PORT\n");
        return 2;
    }
    unsigned port = atoi(words[2]);
    /* without SA_RESTART: a recv that waits ends, too */
    struct sigaction ending = {.sa_handler = end};
    sigaction(SIGINT, &ending, NULL);
    int raw = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
    struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = if_nametoindex(words[1])};
    if (raw < 0 || bind(raw, (struct sockaddr *) &address, sizeof address)) {
        perror("raw_socket");
        return 1;
    }
    static unsigned char frame[LONGEST];
    uint64_t seen = 0;
    while (!over) {
        ssize_t length = recv(raw, frame, sizeof frame, 0);
        if (length < 0) {
            if (errno == EINTR) continue;
            perror("raw_socket");
            return 1;
        }
        if (length < IP + SHORTEST || u16(frame + 12) != ETHERTYPE_IP || frame[IP + 9] != IPPROTO_UDP) continue;
        ssize_t udp = IP + (frame[IP] & 15) * 4;
        if (udp + 8 <= length && u16(frame + udp + 2) == port) seen++;
    }
    printf("%llu\n", (unsigned long long) seen);
    return 0;
}
