package io.offhook.testkit.truth;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Writes a {@link Truth} as JSON. */
final class TruthJson {
    private TruthJson() {}

    static String write(Truth truth) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("calls", truth.calls().stream().map(TruthJson::call).toList());
        all.put("streams", truth.streams().stream().map(TruthJson::stream).toList());
        all.put("rtcp", truth.rtcp().stream().map(TruthJson::rtcp).toList());
        all.put(
                "registrations",
                truth.registrations().stream().map(TruthJson::registration).toList());
        all.put("packets", truth.packets());
        all.put("sip_requests", truth.sipRequests());
        all.put("sip_responses", truth.sipResponses());
        all.put("call_ids", truth.callIds());
        all.put("rtp_packets", truth.rtpPackets());
        all.put("rtcp_packets", truth.rtcpPackets());
        all.put("fragments", truth.fragments());
        all.put("icmp_errors", truth.icmpErrors());
        all.put("stun_packets", truth.stunPackets());
        all.put("dtls_packets", truth.dtlsPackets());
        all.put("t38_packets", truth.t38Packets());
        all.put("encrypted_signalling", truth.encryptedSignalling());
        return value(all) + "\n";
    }

    private static Map<String, @Nullable Object> call(CallTruth call) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("call_id", call.callId());
        fields.put("from", call.from());
        fields.put("to", call.to());
        fields.put("outcome", outcome(call.outcome()));
        fields.put("final_status", call.finalStatus());
        fields.put("transport", call.transport());
        fields.put("ipv6", call.ipv6());
        fields.put("invite_us", micros(call.invitedAtNs()));
        fields.put("ringing_us", micros(call.ringingAtNs()));
        fields.put("answer_us", micros(call.answeredAtNs()));
        fields.put(
                "hung_up_by", call.hungUpBy() == null ? null : call.hungUpBy().label());
        fields.put("end_us", micros(call.endedAtNs()));
        fields.put("messages", call.messages());
        fields.put("codec", call.codec());
        fields.put("retransmissions", call.retransmissions());
        fields.put("mirrored_messages", call.mirroredMessages());
        fields.put("hops", call.hops());
        fields.put("early_media", call.earlyMedia());
        fields.put(
                "silent_party",
                call.silentParty() == null ? null : call.silentParty().label());
        fields.put("holds", call.holds().stream().map(TruthJson::hold).toList());
        fields.put("encrypted_media", call.encryptedMedia());
        fields.put("video", call.video());
        fields.put("fax", call.fax());
        fields.put("reached_tags", call.reachedTags());
        fields.put("icmp_errors", call.icmpErrors());
        fields.put("problems", call.problems().stream().map(Problem::label).toList());
        return fields;
    }

    private static String outcome(PlannedOutcome outcome) {
        return outcome == PlannedOutcome.UNAVAILABLE ? "noanswer" : outcome.label();
    }

    private static Map<String, @Nullable Object> hold(CallTruth.Hold hold) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("by", hold.by().label());
        fields.put("from_us", micros(hold.fromNs()));
        fields.put("until_us", micros(hold.untilNs()));
        return fields;
    }

    private static Map<String, @Nullable Object> stream(StreamTruth stream) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("call_id", stream.callId());
        fields.put("ssrc", stream.ssrcText());
        fields.put("src", stream.source().toString());
        fields.put("dst", stream.destination().toString());
        fields.put("from", stream.from() == null ? null : stream.from().label());
        fields.put("codec", stream.codec());
        fields.put("pt", stream.payloadType());
        fields.put("payload_types", stream.payloadTypes());
        fields.put("captured", stream.captured());
        fields.put("expected", stream.expected());
        fields.put("lost", stream.lost());
        fields.put("duplicates", stream.duplicates());
        fields.put("mirrored", stream.mirrored());
        fields.put("reordered", stream.reordered());
        fields.put("digits", stream.digits());
        fields.put("audio_digits", stream.audioDigits());
        fields.put("video", stream.video());
        fields.put("encrypted", stream.encrypted());
        fields.put("first_us", micros(stream.firstAtNs()));
        fields.put("last_us", micros(stream.lastAtNs()));
        return fields;
    }

    private static Map<String, @Nullable Object> rtcp(RtcpTruth rtcp) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("call_id", rtcp.callId());
        fields.put("reporter", rtcp.reporter().label());
        fields.put("reporter_ssrc", String.format(Locale.ROOT, "0x%08X", rtcp.reporterSsrc()));
        fields.put("subject_ssrc", String.format(Locale.ROOT, "0x%08X", rtcp.subjectSsrc()));
        fields.put("compounds", rtcp.compounds());
        fields.put("reports", rtcp.reports());
        fields.put("fraction_lost", rtcp.fractionLost());
        fields.put("cumulative_lost", rtcp.cumulativeLost());
        fields.put("jitter", rtcp.jitter());
        fields.put("jitter_ms", rtcp.jitterMs());
        fields.put("reporter_round_trip_us", rtcp.reporterRoundTripNs() / 1000);
        fields.put("round_trip_us", rtcp.roundTripNs() / 1000);
        fields.put("extended", rtcp.extended());
        return fields;
    }

    private static Map<String, @Nullable Object> registration(RegistrationTruth registration) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("call_id", registration.callId());
        fields.put("user", registration.user());
        fields.put("final_status", registration.finalStatus());
        fields.put("challenges", registration.challenges());
        fields.put("contact", registration.contact());
        fields.put("expires_seconds", registration.expiresSeconds());
        fields.put("started_us", micros(registration.startedAtNs()));
        fields.put("ended_us", micros(registration.endedAtNs()));
        fields.put("messages", registration.messages());
        return fields;
    }

    private static @Nullable Long micros(@Nullable Long timeNs) {
        return timeNs == null ? null : timeNs / 1000;
    }

    private static String value(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> quoted(text);
            case Map<?, ?> fields -> {
                StringJoiner joined = new StringJoiner(", ", "{", "}");
                fields.forEach((name, field) -> joined.add(quoted(String.valueOf(name)) + ": " + value(field)));
                yield joined.toString();
            }
            case Collection<?> items -> {
                StringJoiner joined = new StringJoiner(",\n ", "[", "]");
                items.forEach(item -> joined.add(value(item)));
                yield joined.toString();
            }
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
