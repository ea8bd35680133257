package io.offhook.examples;

import io.offhook.packet.Claims;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerCursor;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.Protocols;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;

/**
 * A custom protocol: PTP, which Offhook does not decode. {@code DecodePtp FILE} prints a line per packet. With this class
 * and its {@code META-INF/services/io.offhook.packet.Protocol} on the class path, {@code offhook print} decodes it as well.
 */
public final class DecodePtp {
    private DecodePtp() {}

    public static void main(String[] args) {
        PacketWalker walker = new PacketWalker(Protocols.builtIn().with(PtpProtocol::new));
        PacketSummary summary = new PacketSummary(new ApplicationRecognizer());
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(args[0])) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    summary.describe(walker, batch.linkType(i));
                    System.out.println(batch.number(i) + " " + summary.protocol() + " " + summary.info());
                }
            }
        }
    }

    /** The header that all messages share (IEEE 1588-2019, 13.3). */
    public static final class PtpProtocol extends Protocol {
        private static final int LENGTH = 34;
        private static final int TYPE = 0;
        private static final int VERSION = 1;
        private static final int MESSAGE_LENGTH = 2;
        private static final int DOMAIN = 4;
        private static final int FLAGS = 6;
        private static final int CLOCK = 20;
        private static final int PORT = 28;
        private static final int SEQUENCE = 30;

        public PtpProtocol() {
            super(
                    "ptp",
                    HeaderLayout.of(LENGTH)
                            .bits("messageType", TYPE, 4, 4)
                            .bits("version", VERSION, 4, 4)
                            .number("messageLength", MESSAGE_LENGTH, 16)
                            .number("domain", DOMAIN, 8)
                            .number("flags", FLAGS, 16)
                            .bytes("clockIdentity", CLOCK, 8)
                            .number("portNumber", PORT, 16)
                            .number("sequenceId", SEQUENCE, 16));
        }

        @Override
        public Claims claims() {
            return Claims.NONE.etherType(0x88f7).udp(319, 320);
        }

        @Override
        public boolean accepts(Layer layer) {
            return layer.length() > VERSION && (layer.u8(VERSION) & 15) == 2;
        }

        @Override
        public int step(LayerCursor cursor) {
            cursor.clip(cursor.u16(MESSAGE_LENGTH)); // what is behind pads the frame
            return cursor.take(LENGTH);
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.headerLength() < LENGTH) {
                return false;
            }
            to.text(name(layer.u8(TYPE) & 15));
            to.text(" domain ").number(layer.u8(DOMAIN));
            to.text(" sequence ").number(layer.u16(SEQUENCE));
            return true;
        }

        private static String name(int messageType) {
            return switch (messageType) {
                case 0 -> "sync";
                case 1 -> "delay request";
                case 2 -> "peer delay request";
                case 3 -> "peer delay response";
                case 8 -> "follow-up";
                case 9 -> "delay response";
                case 11 -> "announce";
                case 12 -> "signalling";
                case 13 -> "management";
                default -> "message type " + messageType;
            };
        }
    }
}
