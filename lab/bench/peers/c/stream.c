/* Sends frames of one size at an even rate: INTERFACE PORT SIZE BYTES_A_SECOND FRAMES. Each is UDP over IPv4 over Ethernet. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { IP = 14, UDP = IP + 20, PAYLOAD = UDP + 8 };

static void put16(unsigned char *at, unsigned value) {
    at[0] = value >> 8;
    at[1] = value;
}

int main(int count, char **words) {
    if (count != 6) {
        fprintf(stderr, "stream INTERFACE PORT SIZE BYTES_A_SECOND FRAMES\n");
        return 2;
    }
    int port = atoi(words[2]), size = atoi(words[3]);
    double rate = atof(words[4]);
    long frames = atol(words[5]);
    static unsigned char frame[65536];
    if (size < PAYLOAD || size > (int) sizeof frame) return 2;
    memset(frame, 0xff, 6);
    memcpy(frame + 6, "\2\0\0\0\0\1", 6);
    put16(frame + 12, ETHERTYPE_IP);
    frame[IP] = 0x45;
    put16(frame + IP + 2, size - IP);
    frame[IP + 8] = 64;
    frame[IP + 9] = 17;
    memcpy(frame + IP + 12, "\12\1\0\1\12\1\0\2", 8);
    put16(frame + UDP, 9);
    put16(frame + UDP + 2, port);
    put16(frame + UDP + 4, size - UDP);
    unsigned sum = 0;
    for (int i = IP; i < UDP; i += 2) sum += frame[i] << 8 | frame[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    put16(frame + IP + 10, ~(sum + (sum >> 16)));

    int out = socket(AF_PACKET, SOCK_RAW, 0);
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(words[1])};
    if (out < 0 || bind(out, (struct sockaddr *) &address, sizeof address)) {
        perror("stream");
        return 1;
    }
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    int64_t start = due.tv_sec * INT64_C(1000000000) + due.tv_nsec;
    for (long i = 0; i < frames; i++) {
        int64_t at = start + (int64_t) (i * (double) size / rate * 1e9);
        due.tv_sec = at / 1000000000;
        due.tv_nsec = at % 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        if (send(out, frame, size, 0) != size) {
            perror("stream");
            return 1;
        }
    }
    return 0;
}
