package io.offhook.decrypt;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameSink;
import io.offhook.decrypt.DtlsHellos.Hello;
import io.offhook.packet.Endpoint;
import java.util.HashSet;
import java.util.Set;

/**
 * The frames with the hellos of DTLS sessions whose secret a key log has, without which their SRTP cannot be opened. Sees the
 * frames in a {@link io.offhook.analysis.FrameLoop}. Single-threaded.
 */
public final class KeyedHandshakes implements FrameSink {
    private final DecryptionKeys keys;
    private final DtlsHellos hellos = new DtlsHellos();

    private record Ends(Endpoint client, Endpoint server) {}

    /** Looks for the sessions of a key log. */
    public KeyedHandshakes(DecryptionKeys keys) {
        this.keys = keys;
    }

    @Override
    public void frame(DecodedFrame frame) {
        hellos.frame(frame);
    }

    /** The numbers of their frames, 1-based. */
    public Set<Long> frames() {
        Set<Long> frames = new HashSet<>();
        Set<Ends> known = new HashSet<>();
        for (Hello hello : hellos.hellos()) {
            if (hello.client() != null && keys.log().secret(KeyLog.Label.CLIENT_RANDOM, hello.client()) != null) {
                known.add(new Ends(hello.source(), hello.destination()));
                frames.add(hello.frame());
            } else if (hello.client() == null && known.contains(new Ends(hello.destination(), hello.source()))) {
                frames.add(hello.frame());
            }
        }
        return frames;
    }
}
