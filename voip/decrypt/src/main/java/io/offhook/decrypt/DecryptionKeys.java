package io.offhook.decrypt;

import io.offhook.analysis.TlsOpener;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that somebody has for a capture: a key log of TLS sessions and a file of SRTP keys, either or both. {@link #tls} is
 * given to {@link io.offhook.analysis.Pipeline#tls} or {@link io.offhook.analysis.AnalysisOptions#withTls}, {@link MediaKeys}
 * finds the keys of streams. Thread-safe; keys are overwritten when it is closed, after the last run that uses it.
 */
public final class DecryptionKeys implements AutoCloseable {
    private static final int MOST_LINES = 100_000;

    private final KeyLog log;
    private final @Nullable SrtpKeys srtp;
    private final List<TlsShard> shards = new ArrayList<>();

    private DecryptionKeys(KeyLog log, @Nullable SrtpKeys srtp) {
        this.log = log;
        this.srtp = srtp;
    }

    /** Without keys but those that the capture itself shows: SDES, and what is {@linkplain #log added}. */
    public static DecryptionKeys ofCapture() {
        return new DecryptionKeys(KeyLog.empty(), null);
    }

    /**
     * Opens files.
     *
     * @param keyLog a key log that may grow; or null
     * @param srtpKeys keys of SRTP; or null
     * @throws KeyFileException if one of them cannot be read or is not understood
     */
    public static DecryptionKeys open(@Nullable Path keyLog, @Nullable Path srtpKeys) {
        SrtpKeys srtp = srtpKeys == null ? null : SrtpKeys.read(srtpKeys);
        try {
            return new DecryptionKeys(keyLog == null ? KeyLog.empty() : KeyLog.open(keyLog), srtp);
        } catch (KeyFileException e) {
            if (srtp != null) {
                srtp.close();
            }
            throw e;
        }
    }

    /**
     * Reads a text with lines of a key log, lines with keys of SRTP (docs/DECRYPTION.md), or both in any order.
     *
     * @param text what is read; overwritten by its owner
     * @param besides keys that are asked after these, and stay open as long as these; or null
     * @throws KeyFileException if a line is not understood, or none has a key
     */
    public static DecryptionKeys parse(MemorySegment text, @Nullable DecryptionKeys besides) {
        KeyLog log = KeyLog.besides(besides == null ? null : besides.log);
        SrtpKeys srtp = SrtpKeys.besides(besides == null ? null : besides.srtp);
        DecryptionKeys keys = new DecryptionKeys(log, srtp);
        try {
            keys.add(new KeyText(text, 0, text.byteSize()), srtp);
            return keys;
        } catch (KeyFileException e) {
            keys.close();
            throw e;
        }
    }

    private void add(KeyText text, SrtpKeys to) {
        for (int number = 1; !text.isEmpty(); number++) {
            KeyText line = text.line();
            if (number > MOST_LINES) {
                throw new KeyFileException("more lines than " + MOST_LINES);
            }
            line.skipBlanks();
            if (SrtpKeys.isKind(line.again().word())) {
                String fault = to.add(line);
                if (fault != null) {
                    throw new KeyFileException("line " + number + ": " + fault);
                }
            } else {
                log.line(line);
            }
            if (log.malformed() > 0) {
                throw new KeyFileException("line " + number
                        + ": a secret of a key log is a name, 64 hexadecimal digits and" + " 64 or 96 more");
            }
        }
        if (log.sessions() == 0 && to.count() == 0) {
            throw new KeyFileException(
                    "there is no key in it: neither a line of a key log (CLIENT_RANDOM ...) nor one with"
                            + " a key of SRTP (any AES_CM_128_HMAC_SHA1_80 inline:...)");
        }
    }

    /** How many TLS sessions, and lines with keys of SRTP, there are, without those of others that are asked too. */
    public int count() {
        return log.sessions() + (srtp == null ? 0 : srtp.count());
    }

    /** The sessions, to which those of pcapng files can be added. */
    public KeyLog log() {
        return log;
    }

    @Nullable
    SrtpKeys srtp() {
        return srtp;
    }

    /** Makes what opens the TLS of a shard. */
    public TlsOpener tls(int shard) {
        TlsShard made = new TlsShard(log);
        synchronized (shards) {
            shards.add(made);
        }
        return made;
    }

    /** Overwrites all keys. */
    @Override
    public void close() {
        synchronized (shards) {
            shards.forEach(TlsShard::close);
            shards.clear();
        }
        log.close();
        if (srtp != null) {
            srtp.close();
        }
    }

    /** What there is; never a key. */
    @Override
    public String toString() {
        return log + (srtp == null ? "" : ", " + srtp);
    }
}
