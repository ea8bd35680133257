/* libpcap reads the records, C looks at them: libpcap FILE ROUNDS PACKETS. */
#include "transport.h"
#include <pcap/pcap.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    for (int round = atoi(argv[2]); round > 0; round--) {
        uint64_t most = strtoull(argv[3], NULL, 10);
        char error[PCAP_ERRBUF_SIZE];
        double start = seconds();
        pcap_t *pcap = pcap_open_offline(argv[1], error);
        if (!pcap) { fprintf(stderr, "%s\n", error); return 3; }
        struct found found = {0};
        struct pcap_pkthdr *header;
        const u_char *data;
        while (found.packets < most && pcap_next_ex(pcap, &header, &data) == 1) find_transport(data, header->caplen, &found);
        pcap_close(pcap);
        tell(&found, seconds() - start);
    }
    return 0;
}
