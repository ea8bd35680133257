package io.offhook.testkit.truth;

import java.util.List;
import java.util.Optional;

/**
 * Everything that is known of a capture. All of it was counted when the packets were written.
 *
 * @param calls in the order of their first packets' writing
 * @param streams every RTP stream, those without a call too
 * @param rtcp what the ends reported
 * @param registrations REGISTER exchanges
 * @param packets frames in the capture
 * @param sipRequests captured SIP requests, whatever they are about, retransmissions and copies too
 * @param sipResponses likewise
 * @param callIds distinct Call-IDs in them
 * @param rtpPackets captured RTP packets
 * @param rtcpPackets captured compound RTCP packets (UDP datagrams)
 * @param fragments captured IP fragments
 * @param icmpErrors captured port-unreachables
 * @param stunPackets captured STUN messages
 * @param dtlsPackets captured datagrams of DTLS handshakes
 * @param t38Packets captured UDPTL datagrams
 * @param encryptedSignalling TLS connections on SIP's port
 */
public record Truth(
        List<CallTruth> calls,
        List<StreamTruth> streams,
        List<RtcpTruth> rtcp,
        List<RegistrationTruth> registrations,
        long packets,
        long sipRequests,
        long sipResponses,
        int callIds,
        long rtpPackets,
        long rtcpPackets,
        long fragments,
        long icmpErrors,
        long stunPackets,
        long dtlsPackets,
        long t38Packets,
        int encryptedSignalling) {

    /** The call of this Call-ID. */
    public Optional<CallTruth> call(String callId) {
        return calls.stream().filter(call -> call.callId().equals(callId)).findFirst();
    }

    /** The streams of this Call-ID. */
    public List<StreamTruth> streamsOf(String callId) {
        return streams.stream().filter(stream -> callId.equals(stream.callId())).toList();
    }

    /**
     * The truth as JSON, with the field names of {@code voipgen.py}'s TRUTH.json and more: fields unknown to that have
     * the names used here, in lower case with underscores. Times are in microseconds.
     */
    public String toJson() {
        return TruthJson.write(this);
    }
}
