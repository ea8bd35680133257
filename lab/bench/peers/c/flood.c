/* Sends frames as fast as it is told: INTERFACE SIZE PACKETS_A_SECOND FRAMES (0 a second: as fast as it goes). UDP over IPv4,
 * its number in the payload. Prints how many frames the kernel took, and the nanoseconds it took it. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 32, IP = 14, UDP = IP + 20, PAYLOAD = UDP + 8, MOST = 1514, PORT = 9009 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void put16(unsigned char *at, unsigned value) {
    at[0] = value >> 8;
    at[1] = value;
}

/* Of an IPv4 header without options, whose own field is 0. */
static unsigned checksum(const unsigned char *header) {
    unsigned sum = 0;
    for (int i = 0; i < 20; i += 2) sum += header[i] << 8 | header[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    return ~(sum + (sum >> 16)) & 0xffff;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "flood INTERFACE SIZE PACKETS_A_SECOND FRAMES\n");
        return 2;
    }
    int size = atoi(words[2]);
    double rate = atof(words[3]);
    long frames = atol(words[4]);
    if (size < 60 || size > MOST) return 2;
    static unsigned char frame[BATCH][MOST];
    struct mmsghdr messages[BATCH] = {0};
    struct iovec parts[BATCH];
    for (int i = 0; i < BATCH; i++) {
        memcpy(frame[i], "\2\0\0\0\0\2\2\0\0\0\0\1\10\0\105", 15);
        put16(frame[i] + IP + 2, size - IP);
        frame[i][IP + 8] = 64;
        frame[i][IP + 9] = 17;
        memcpy(frame[i] + IP + 12, "\300\0\2\1\300\0\2\2", 8);
        put16(frame[i] + IP + 10, checksum(frame[i] + IP));
        put16(frame[i] + UDP, PORT);
        put16(frame[i] + UDP + 2, PORT);
        put16(frame[i] + UDP + 4, size - UDP);
        parts[i] = (struct iovec) {frame[i], size};
        messages[i].msg_hdr = (struct msghdr) {.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    int out = socket(AF_PACKET, SOCK_RAW, 0);
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(words[1])};
    if (out < 0 || bind(out, (struct sockaddr *) &address, sizeof address)) {
        perror("flood");
        return 1;
    }
    int64_t start = now();
    for (long sent = 0; sent < frames;) {
        int wanted = frames - sent < BATCH ? frames - sent : BATCH;
        while (rate > 0 && now() < start + (int64_t) (sent / rate * 1e9));
        for (int i = 0; i < wanted; i++) {
            uint32_t number = htonl(sent + i);
            memcpy(frame[i] + PAYLOAD, &number, sizeof number);
        }
        int taken = sendmmsg(out, messages, wanted, 0);
        if (taken < 0 && errno != ENOBUFS && errno != EAGAIN) {
            perror("flood");
            return 1;
        }
        if (taken > 0) sent += taken;
    }
    printf("%ld %lld\n", frames, (long long) (now() - start));
    return 0;
}
