package io.offhook.research.language;

import io.offhook.research.Rounds.Work;
import java.util.Arrays;

/** Java alone. */
final class JavaWork {
    private JavaWork() {}

    /** Objects that are created once, and set again in each round. */
    static final class KeptObjects implements Work {
        private final long[] draws = Draws.array();
        private final JavaPacket[] packets = new JavaPacket[LanguageTechniques.PACKETS];

        KeptObjects() {
            Arrays.setAll(packets, i -> new JavaPacket());
        }

        @Override
        public long round(int number) {
            long at = LanguageTechniques.start(number);
            for (JavaPacket packet : packets) {
                packet.set(draws, at);
                at += Draws.A_PACKET;
            }
            return at;
        }

        @Override
        public long digest() {
            return digestOf(packets);
        }
    }

    /** An object per packet, as in most Java code; the figure includes the collector's work. */
    static final class NewObjects implements Work {
        private final long[] draws = Draws.array();
        private final JavaPacket[] packets = new JavaPacket[LanguageTechniques.PACKETS];

        @Override
        public long round(int number) {
            long at = LanguageTechniques.start(number);
            for (int i = 0; i < packets.length; i++) {
                JavaPacket packet = new JavaPacket();
                packet.set(draws, at);
                packets[i] = packet;
                at += Draws.A_PACKET;
            }
            return at;
        }

        @Override
        public long digest() {
            return digestOf(packets);
        }
    }

    /** The C structure, set by Java through VarHandles. */
    static final class OverNativeMemory implements Work {
        private final long[] draws = Draws.array();
        private final NativePackets packets = new NativePackets(LanguageTechniques.PACKETS);

        @Override
        public long round(int number) {
            long at = LanguageTechniques.start(number);
            for (int i = 0; i < LanguageTechniques.PACKETS; i++) {
                NativePackets.set(packets.segment, i * NativePackets.SIZE, draws, at);
                at += Draws.A_PACKET;
            }
            return at;
        }

        @Override
        public long digest() {
            return packets.digest();
        }
    }

    static long digestOf(JavaPacket[] packets) {
        long hash = 0;
        for (JavaPacket packet : packets) {
            hash = packet.digest(hash);
        }
        return hash;
    }
}
