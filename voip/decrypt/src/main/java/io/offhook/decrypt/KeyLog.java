package io.offhook.decrypt;

import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.file.PcapNgBlockView;
import io.offhook.pcap.file.PcapNgBlocks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of TLS and DTLS sessions, by the random of their client hello: a key log as NSS, OpenSSL, browsers and many
 * programs write it (SSLKEYLOGFILE, draft-ietf-tls-keylogfile).
 *
 * <pre>
 * CLIENT_RANDOM 52362c10...(32 bytes) 9f9a0f19...(48 bytes)     TLS 1.2 and below, DTLS: the master secret
 * CLIENT_TRAFFIC_SECRET_0 52362c10... 1d2c3e8f...(32 or 48)     TLS 1.3: a secret each of several names
 * </pre>
 *
 * <p>A file may grow while it is used: it is read on when a session is asked for that it does not have. Other lines are
 * skipped, and counted if they are malformed. At most {@link #MOST_SESSIONS} sessions are kept; further ones are counted.
 * Thread-safe. Close it to overwrite the secrets.
 */
public final class KeyLog implements AutoCloseable {
    /** The most sessions that are kept. */
    public static final int MOST_SESSIONS = 1 << 18;

    /** The type of a pcapng secrets block that contains a key log. */
    public static final int PCAPNG_TLS_KEY_LOG = 0x544c534b;

    private static final int CHUNK_BYTES = 1 << 16;
    private static final int RANDOM_LENGTH = 32;
    /** A longer word may be a secret, of which no string is made. */
    private static final int LONGEST_LABEL = 40;
    /** A file is looked at no more often. */
    private static final long POLL_NS = 50_000_000L;

    /** What a line has, by its name. */
    enum Label {
        CLIENT_RANDOM,
        CLIENT_EARLY_TRAFFIC_SECRET,
        CLIENT_HANDSHAKE_TRAFFIC_SECRET,
        SERVER_HANDSHAKE_TRAFFIC_SECRET,
        CLIENT_TRAFFIC_SECRET_0,
        SERVER_TRAFFIC_SECRET_0,
        EXPORTER_SECRET;

        private static final Label[] ALL = values();
    }

    /** The random of a client hello, which is no secret. */
    record ClientRandom(long a, long b, long c, long d) {
        static ClientRandom of(byte[] bytes, int at) {
            return new ClientRandom(u64(bytes, at), u64(bytes, at + 8), u64(bytes, at + 16), u64(bytes, at + 24));
        }

        private static long u64(byte[] bytes, int at) {
            return SrtpPacketCipher.u32(bytes, at) << 32 | SrtpPacketCipher.u32(bytes, at + 4);
        }
    }

    private final SecretMemory memory = new SecretMemory();
    private final Map<ClientRandom, EnumMap<Label, Secret>> sessions = new HashMap<>();
    private final @Nullable Path file;
    private final @Nullable KeyLog besides;
    private long readUntil;
    private long polledNs;
    private boolean isPolled;
    private long malformed;
    private long refused;
    private final byte[] random = new byte[RANDOM_LENGTH];

    private KeyLog(@Nullable Path file, @Nullable KeyLog besides) {
        this.file = file;
        this.besides = besides;
    }

    /** Creates one without secrets. */
    public static KeyLog empty() {
        return new KeyLog(null, null);
    }

    /** Creates one that asks another log for the secrets that it does not have; the other one stays open as long as this. */
    static KeyLog besides(@Nullable KeyLog other) {
        return new KeyLog(null, other);
    }

    /**
     * Opens a file, which may be empty and may grow.
     *
     * @throws KeyFileException if it is no regular file or cannot be read
     */
    public static KeyLog open(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new KeyFileException("key log " + file + " is not a file");
        }
        KeyLog log = new KeyLog(file, null);
        try {
            log.readOn(file, true);
        } catch (IOException e) {
            log.close();
            throw new KeyFileException("key log " + file + " cannot be read: " + e.getMessage());
        }
        return log;
    }

    /**
     * Adds the secrets that a pcapng file contains; nothing for another format, or a file that cannot be read.
     *
     * @return whether it contained a key log
     */
    public boolean addSecretsOf(Path capture) {
        boolean found = false;
        try (PcapNgBlocks blocks = PcapNgBlocks.open(capture.toString())) {
            while (blocks.next()) {
                PcapNgBlockView block = blocks.block();
                if (block.type() == PcapNgBlock.DECRYPTION_SECRETS && block.secretsType() == PCAPNG_TLS_KEY_LOG) {
                    add(block.segment(), block.dataOffset(), block.dataLength());
                    found = true;
                }
            }
        }
        return found;
    }

    /** Adds the lines of a text; the last one needs no end. */
    public synchronized void add(MemorySegment segment, long offset, long length) {
        KeyText text = new KeyText(segment, offset, offset + length);
        while (!text.isEmpty()) {
            line(text.line());
        }
    }

    /** Adds a line. */
    synchronized void line(KeyText line) {
        if (memory.isClosed() || line.isEmpty() || line.peek() == '#') {
            return;
        }
        KeyText name = line.word();
        Label label = name.length() > LONGEST_LABEL ? null : label(name.text());
        if (label == null) {
            return;
        }
        KeyText session = line.word();
        KeyText key = line.word();
        if (!session.hex(random)) {
            malformed++;
            return;
        }
        ClientRandom of = ClientRandom.of(random, 0);
        EnumMap<Label, Secret> secrets = sessions.get(of);
        if (secrets != null && secrets.containsKey(label)) {
            return;
        }
        if (secrets == null && sessions.size() == MOST_SESSIONS) {
            refused++;
            return;
        }
        Secret secret = key.hexSecret(memory);
        if (secret == null || secret.length() != 48 && (secret.length() != 32 || label == Label.CLIENT_RANDOM)) {
            malformed++;
            return;
        }
        sessions.computeIfAbsent(of, _ -> new EnumMap<>(Label.class)).put(label, secret);
    }

    private static @Nullable Label label(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (Label label : Label.ALL) {
            if (label.name().equals(upper)) {
                return label;
            }
        }
        return null;
    }

    /** A secret of a session; null if it is not there yet. The file is looked at again before that is said. */
    synchronized @Nullable Secret secret(Label label, ClientRandom of) {
        Secret known = known(label, of);
        if (known != null || memory.isClosed()) {
            return known;
        }
        if (file == null) {
            return besides == null ? null : besides.secret(label, of);
        }
        long nowNs = System.nanoTime();
        if (!isPolled || nowNs - polledNs > POLL_NS) {
            isPolled = true;
            polledNs = nowNs;
            try {
                readOn(file, false);
            } catch (IOException e) {
                return null; // it was moved away or is being replaced: what was read remains
            }
        }
        return known(label, of);
    }

    private @Nullable Secret known(Label label, ClientRandom of) {
        EnumMap<Label, Secret> secrets = sessions.get(of);
        return secrets == null || memory.isClosed() ? null : secrets.get(label);
    }

    /**
     * Reads whole lines from where it ended; from the start if the file is shorter now.
     *
     * @param isLastWhole whether a last line without an end is read too
     */
    private synchronized void readOn(Path from, boolean isLastWhole) throws IOException {
        if (Files.size(from) == readUntil) {
            return;
        }
        try (FileChannel channel = FileChannel.open(from, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            if (channel.size() < readUntil) {
                readUntil = 0;
            }
            MemorySegment chunk = arena.allocate(CHUNK_BYTES);
            try {
                int read = channel.read(chunk.asByteBuffer(), readUntil);
                while (read > 0) {
                    long whole = wholeLines(chunk, read);
                    if (whole == 0 && read < CHUNK_BYTES) {
                        add(chunk, 0, isLastWhole ? read : 0);
                        return;
                    }
                    // a chunk without a line's end is no key log: it is skipped
                    add(chunk, 0, whole);
                    readUntil += whole == 0 ? read : whole;
                    read = channel.read(chunk.asByteBuffer(), readUntil);
                }
            } finally {
                chunk.fill((byte) 0);
            }
        }
    }

    private static long wholeLines(MemorySegment chunk, int length) {
        int end = length;
        while (end > 0 && chunk.get(ValueLayout.JAVA_BYTE, end - 1) != '\n') {
            end--;
        }
        return end;
    }

    /** The lines of some sessions. The caller overwrites them after use. */
    synchronized byte[] lines(Collection<ClientRandom> of) {
        int length = 0;
        for (ClientRandom session : of) {
            for (Label label : Label.ALL) {
                secret(label, session); // looks at the file again
                Secret secret = known(label, session);
                length += secret == null ? 0 : label.name().length() + 3 + 2 * (RANDOM_LENGTH + secret.length());
            }
        }
        ByteBuffer lines = ByteBuffer.allocate(length);
        for (ClientRandom session : of) {
            for (Label label : Label.ALL) {
                Secret secret = known(label, session);
                if (secret != null && lines.remaining() > 0) {
                    lines.put(label.name().getBytes(StandardCharsets.US_ASCII)).put((byte) ' ');
                    for (long part : new long[] {session.a, session.b, session.c, session.d}) {
                        lines.put(HexFormat.of().toHexDigits(part).getBytes(StandardCharsets.US_ASCII));
                    }
                    lines.put((byte) ' ');
                    byte[] bytes = secret.getEncoded();
                    for (byte value : bytes) {
                        lines.put((byte) Character.forDigit(value >> 4 & 15, 16));
                        lines.put((byte) Character.forDigit(value & 15, 16));
                    }
                    Arrays.fill(bytes, (byte) 0);
                    lines.put((byte) '\n');
                }
            }
        }
        return lines.array();
    }

    /** Whether it has secrets, may get some, or asks another one. */
    synchronized boolean mayHaveSecrets() {
        return file != null || besides != null || !sessions.isEmpty();
    }

    /** Whether it has a secret of a session, of its own. */
    synchronized boolean has(ClientRandom session) {
        return sessions.containsKey(session);
    }

    /** Sessions of which a secret is known. */
    public synchronized int sessions() {
        return sessions.size();
    }

    /** Lines with the name of a secret that are not understood. */
    public synchronized long malformed() {
        return malformed;
    }

    /** Lines that found no room. */
    public synchronized long refused() {
        return refused;
    }

    /** Overwrites the secrets; from then on it has none. */
    @Override
    public synchronized void close() {
        memory.close();
        sessions.clear();
        Arrays.fill(random, (byte) 0);
    }

    /** "key log of 3 sessions". */
    @Override
    public synchronized String toString() {
        return "key log of " + sessions.size() + " sessions";
    }
}
