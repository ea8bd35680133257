package io.offhook.decrypt;

import io.offhook.analysis.Pipeline;
import io.offhook.analysis.PipelineReport;
import io.offhook.calls.StreamReport;
import io.offhook.pcap.PacketSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which keys open the streams of a capture: given ones, those of DTLS handshakes whose secrets a key log has, and those that
 * SDP shows (SDES), in this order. Found by reading the capture once more, since reports keep no keys:
 *
 * <pre>{@code
 * try (DecryptionKeys keys = DecryptionKeys.ofCapture();
 *         MediaKeys media = MediaKeys.find(source, keys, lanes)) {
 *     SrtpOpener opener = media.opener(stream); // of a StreamReport; null if there is no key
 * }
 * }</pre>
 *
 * <p>Thread-safe once found. Keys are overwritten when it is closed; openers have their own, and are closed by their users.
 */
public final class MediaKeys implements AutoCloseable {
    private final DecryptionKeys given;
    private final SdesKeys sdes;
    private final DtlsSessions dtls;
    private final @Nullable RuntimeException defect;

    private MediaKeys(DecryptionKeys given, SdesKeys sdes, DtlsSessions dtls, @Nullable RuntimeException defect) {
        this.given = given;
        this.sdes = sdes;
        this.dtls = dtls;
        this.defect = defect;
    }

    /**
     * Reads a source to its end.
     *
     * @param source the packets that an analysis read
     * @param given keys from elsewhere, which stay open as long as this
     * @param lanes threads that work on it, 1 or more
     */
    public static MediaKeys find(PacketSource source, DecryptionKeys given, int lanes) {
        SdesKeys sdes = new SdesKeys();
        List<DtlsHellos> hellos = new ArrayList<>();
        try {
            PipelineReport report = Pipeline.of(lanes)
                    .tls(given::tls)
                    .frames(_ -> {
                        DtlsHellos made = new DtlsHellos();
                        hellos.add(made);
                        return made;
                    })
                    .rounds(sdes)
                    .run(source);
            List<DtlsHellos.Hello> all = new ArrayList<>();
            hellos.forEach(lane -> all.addAll(lane.hellos()));
            return new MediaKeys(given, sdes, new DtlsSessions(all, given.log()), report.defect());
        } catch (RuntimeException | Error e) {
            sdes.close();
            throw e;
        }
    }

    /** What opens the packets of a stream, from its first one on; null if there is no key for it. */
    public synchronized @Nullable SrtpOpener opener(StreamReport stream) {
        List<SrtpKey> keys = new ArrayList<>();
        SrtpKeys srtp = given.srtp();
        if (srtp != null) {
            srtp.of(stream, keys);
        }
        dtls.of(stream, keys);
        sdes.of(stream, keys);
        return keys.isEmpty() ? null : new SrtpOpener(keys);
    }

    /** The lines of a=crypto that were not understood: another suite, a malformed key. */
    public long unsupportedKeys() {
        return sdes.unsupported();
    }

    /** The keys in SDP that found no room: more than 32 a side of a call, or of more than 100,000 calls. */
    public long refusedKeys() {
        return sdes.refused();
    }

    /** DTLS handshakes that agreed on SRTP. */
    public int dtlsSessions() {
        return dtls.count();
    }

    /** The first exception that was contained, in which case keys may be missing; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect;
    }

    /** Overwrites the keys that were found. */
    @Override
    public synchronized void close() {
        sdes.close();
        dtls.close();
    }

    /** What there is; never a key. */
    @Override
    public String toString() {
        return sdes + ", " + dtls.count() + " DTLS sessions";
    }
}
