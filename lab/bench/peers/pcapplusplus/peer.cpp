// PcapPlusPlus over a mapped file: a Packet is parsed up to the transport layer where the bytes lie, and asked for TCP and
// UDP. RawPacket and Packet are made anew for each, as its tutorials do. FILE ROUNDS PACKETS
#include "../c/mapped.h"
#include <Packet.h>
#include <RawPacket.h>
#include <TcpLayer.h>
#include <UdpLayer.h>

static inline void parse(const uint8_t *bytes, uint32_t length, struct found *f) {
    f->packets++;
    timeval time = {0, 0};
    pcpp::RawPacket raw(bytes, static_cast<int>(length), time, false, pcpp::LINKTYPE_ETHERNET);
    pcpp::Packet packet(&raw, pcpp::OsiModelTransportLayer);
    if (const pcpp::UdpLayer *udp = packet.getLayerOfType<pcpp::UdpLayer>()) {
        f->udp++;
        f->ports += udp->getSrcPort() + udp->getDstPort();
    } else if (const pcpp::TcpLayer *tcp = packet.getLayerOfType<pcpp::TcpLayer>()) {
        f->tcp++;
        f->ports += tcp->getSrcPort() + tcp->getDstPort();
    }
}

int main(int argc, char **argv) { return over_mapped(argc, argv, parse); }
