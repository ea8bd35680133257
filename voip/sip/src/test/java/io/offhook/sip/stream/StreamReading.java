package io.offhook.sip.stream;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Feeds a framer as a connection does: what was not consumed comes again, with more. Writes down what it finds. */
final class StreamReading {
    final List<String> found = new ArrayList<>();
    private final SipStreamFramer framer;
    private byte[] held = {};

    StreamReading(SipStreamLimits limits) {
        framer = new SipStreamFramer(limits);
    }

    static List<String> of(byte[] stream, int... cuts) {
        StreamReading reading = new StreamReading(SipStreamLimits.DEFAULT);
        int from = 0;
        for (int cut : cuts) {
            reading.piece(stream, from, cut);
            from = cut;
        }
        reading.piece(stream, from, stream.length);
        return reading.found;
    }

    void piece(byte[] stream, int from, int end) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.write(0x55); // bytes in front, which are not to be looked at
        joined.writeBytes(held);
        joined.write(stream, from, end - from);
        byte[] octets = joined.toByteArray();
        int at = 1;
        SipStreamUnit unit = framer.next(octets, at, octets.length - at);
        while (unit != SipStreamUnit.INCOMPLETE && unit != SipStreamUnit.FAULT) {
            String text = new String(octets, at, framer.length(), StandardCharsets.ISO_8859_1);
            found.add(unit == SipStreamUnit.MESSAGE ? text : unit.name());
            at += framer.length();
            unit = framer.next(octets, at, octets.length - at);
        }
        if (unit == SipStreamUnit.FAULT && !isFaulty()) {
            found.add("FAULT " + framer.fault());
        }
        held = java.util.Arrays.copyOfRange(octets, at, octets.length);
    }

    boolean isFaulty() {
        return !found.isEmpty() && found.getLast().startsWith("FAULT ");
    }

    SipStreamFramer framer() {
        return framer;
    }
}
