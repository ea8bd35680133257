package io.offhook.live;

import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The frames of a {@link Rehearsal}: a call, its INVITE, its 200 OK, and then speech in both directions, without end. */
final class RehearsalFrames implements AutoCloseable {
    /** How many there are in memory at a time; the speech in them changes each time. */
    static final int SLOTS = 1024;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int SLOT_BYTES = 1024;
    private static final int RTP = 14 + 20 + 8;
    private static final int SPEECH_BYTES = 160;
    private static final long MAC = 0x0200_0000_0000L;
    private static final long CALLER = 0xc633_6401L; // 198.51.100.1, of RFC 5737
    private static final long CALLED = 0xc633_6402L;
    private static final int CALLER_PORT = 20_000;
    private static final int CALLED_PORT = 20_002;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate((long) SLOTS * SLOT_BYTES);
    private final PacketWriter writer = new PacketWriter();
    private final int[] lengths = new int[SLOTS];
    private int next;
    private int sequence;

    RehearsalFrames() {
        sip(0, true, "INVITE sip:rehearsal@198.51.100.2 SIP/2.0\r\n", "");
        sip(1, false, "SIP/2.0 200 OK\r\n", ";tag=2");
        for (int slot = 2; slot < SLOTS; slot++) {
            boolean isCallers = slot % 2 == 0;
            begin(slot, isCallers, isCallers ? CALLER_PORT : CALLED_PORT, isCallers ? CALLED_PORT : CALLER_PORT);
            // version 2, payload type 0; numbers and times are set when it is delivered
            lengths[slot] = writer.u32(0x8000_0000L)
                    .u32(0)
                    .u32(isCallers ? 1 : 2)
                    .zeros(SPEECH_BYTES)
                    .finish();
        }
    }

    private void sip(int slot, boolean isCallers, String start, String tag) {
        String address = isCallers ? "198.51.100.1" : "198.51.100.2";
        String session = "v=0\r\no=- 1 1 IN IP4 " + address + "\r\ns=-\r\nc=IN IP4 " + address + "\r\nt=0 0\r\nm=audio "
                + (isCallers ? CALLER_PORT : CALLED_PORT) + " RTP/AVP 0\r\n";
        begin(slot, isCallers, 5060, 5060);
        lengths[slot] = writer.text(start)
                .text("Via: SIP/2.0/UDP 198.51.100.1;branch=z9hG4bKrehearsal\r\n")
                .text("From: <sip:1@198.51.100.1>;tag=1\r\nTo: <sip:2@198.51.100.2>" + tag + "\r\n")
                .text("Call-ID: rehearsal\r\nCSeq: 1 INVITE\r\nContact: <sip:1@" + address + ">\r\n")
                .text("Content-Type: application/sdp\r\nContent-Length: " + session.length() + "\r\n\r\n")
                .text(session)
                .finish();
    }

    /** Without a checksum of UDP: the bytes behind it change. */
    private void begin(int slot, boolean isCallers, int sourcePort, int destinationPort) {
        writer.begin(memory, (long) slot * SLOT_BYTES, SLOT_BYTES)
                .ethernet(MAC, MAC)
                .ipv4(isCallers ? CALLER : CALLED, isCallers ? CALLED : CALLER)
                .udp(sourcePort, destinationPort)
                .checksum(0);
    }

    MemorySegment memory() {
        return memory;
    }

    /** The slot of the frame that comes next. */
    int next() {
        return next;
    }

    /** Makes the frame that comes next and passes on to the one after it; @return the offset of the one made */
    long advance() {
        long frame = (long) next * SLOT_BYTES;
        if (next > 1) {
            sequence += next % 2 == 0 ? 1 : 0;
            memory.set(SHORT, frame + RTP + 2, (short) sequence);
            memory.set(INT, frame + RTP + 4, sequence * SPEECH_BYTES);
        }
        next = (next + 1) % SLOTS;
        return frame;
    }

    /** The length of the frame in a slot, in bytes. */
    int length(int slot) {
        return lengths[slot];
    }

    @Override
    public void close() {
        arena.close();
    }
}
