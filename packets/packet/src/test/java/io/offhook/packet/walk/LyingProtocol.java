package io.offhook.packet.walk;

import io.offhook.packet.Claims;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerCursor;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import java.util.Random;

/** A registered protocol that claims much, reads where nothing is, and says lengths and numbers that cannot be. */
final class LyingProtocol extends Protocol {
    private static final int[] LENGTHS = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, 4, 20, 60, 70_000};

    private final Random random;
    int steps;

    LyingProtocol(long seed) {
        super("liar", HeaderLayout.of(6).number("first", 0, 16).number("last", 2, 32));
        random = new Random(seed);
    }

    @Override
    public Claims claims() {
        int[] etherTypes = random.ints(200, 0x600, 0x10000).toArray();
        int[] protocols = random.ints(200, 0, 256).toArray();
        return Claims.NONE
                .linkType(LinkTypes.ALL)
                .etherType(etherTypes)
                .etherType(0x88b5)
                .ipProtocol(protocols)
                .udp(5060, 9)
                .tcp(80, 5060);
    }

    @Override
    public boolean isMarked(LayerType transport, Layer payload) {
        return payload.length() > 0 && payload.u8(payload.length() - 1) % 3 == 0;
    }

    @Override
    public int step(LayerCursor cursor) {
        steps++;
        if (random.nextBoolean()) {
            cursor.u8(LENGTHS[random.nextInt(LENGTHS.length)]);
            cursor.u32(random.nextInt(80));
        }
        if (random.nextInt(4) == 0) {
            cursor.clip(LENGTHS[random.nextInt(LENGTHS.length)]);
        }
        int next = DONE_OR_NOT[random.nextInt(DONE_OR_NOT.length)];
        for (int i = random.nextInt(4); i > 0; i--) {
            cursor.take(LENGTHS[random.nextInt(LENGTHS.length)]);
            if (random.nextInt(8) == 0) {
                cursor.malformed();
            }
        }
        return next < 0 ? next : next | random.nextInt(0x10000);
    }

    private static final int[] DONE_OR_NOT = {
        LayerCursor.DONE,
        LayerCursor.LINK_TYPE,
        LayerCursor.ETHER_TYPE,
        LayerCursor.IP_PROTOCOL,
        4 << 16,
        5 << 16,
        0,
        7 << 20,
        Integer.MIN_VALUE
    };

    /** All link types from 0 to 300. */
    private static final class LinkTypes {
        static final int[] ALL = java.util.stream.IntStream.range(0, 301).toArray();
    }
}
