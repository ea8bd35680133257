package io.offhook.testkit.traffic;

import java.util.HashSet;
import java.util.Set;

/** Counts of a capture that belong to no single call or stream. */
final class Tallies {
    final Set<String> callIds = new HashSet<>();
    long sipRequests;
    long sipResponses;
    long rtpPackets;
    long rtcpPackets;
    long fragments;
    long icmpErrors;
    long stunPackets;
    long dtlsPackets;
    long t38Packets;
    int encryptedSignalling;

    /** Notes the SIP messages of one Call-ID. */
    void sip(String callId, int messages, int requests) {
        if (messages > 0) {
            callIds.add(callId);
        }
        sipRequests += requests;
        sipResponses += messages - requests;
    }
}
