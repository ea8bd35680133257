package io.offhook.audio.codec;

import io.offhook.rtp.Codec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A second of a gliding pitch that rises and falls three times, as reference encoders made it: G.722 and G.726 of spandsp
 * 0.0.6, GSM of libgsm 1.0.22, Opus of libopus 1.3.1 by opusenc ({@code --speech --bitrate 24}; with two channels {@code
 * --bitrate 64}). In src/test/resources/speech.
 */
public final class Speech {
    private Speech() {}

    static byte[] file(String name) {
        try (InputStream in = Speech.class.getResourceAsStream("/speech/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The payloads of packets of 20 ms. */
    public static List<byte[]> payloads(Codec codec) {
        return switch (codec.key()) {
            case "OPUS" -> ogg(codec.channels() == 1 ? "speech.opus" : "stereo.opus");
            case "GSM" -> cut(file("speech.gsm"), 33);
            case "G722" -> cut(file("speech.g722"), 160);
            default -> {
                String rate = codec.key().substring(codec.key().length() - 2);
                List<byte[]> payloads = cut(file("speech.g726-" + rate), Integer.parseInt(rate) * 20 / 8);
                yield codec.key().startsWith("AAL2")
                        ? payloads.stream()
                                .map(payload -> packedHighFirst(payload, Integer.parseInt(rate) / 8))
                                .toList()
                        : payloads;
            }
        };
    }

    private static List<byte[]> cut(byte[] octets, int size) {
        List<byte[]> payloads = new ArrayList<>();
        for (int at = 0; at + size <= octets.length; at += size) {
            payloads.add(Arrays.copyOfRange(octets, at, at + size));
        }
        return payloads;
    }

    /** The other packing of the same codes. */
    static byte[] packedHighFirst(byte[] lowFirst, int bits) {
        byte[] packed = new byte[lowFirst.length];
        for (int i = 0; i < lowFirst.length * 8; i++) {
            int code = i / bits;
            int from = code * bits + (bits - 1 - i % bits);
            packed[i / 8] |= (byte) ((lowFirst[from / 8] >> from % 8 & 1) << 7 - i % 8);
        }
        return packed;
    }

    /** The packets of an Ogg file (RFC 3533, 6), without the two headers of Opus (RFC 7845). */
    private static List<byte[]> ogg(String name) {
        ByteBuffer file = ByteBuffer.wrap(file(name)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> packets = new ArrayList<>();
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        while (file.hasRemaining()) {
            file.position(file.position() + 26);
            byte[] lacing = new byte[file.get() & 0xff];
            file.get(lacing);
            for (byte size : lacing) {
                byte[] segment = new byte[size & 0xff];
                file.get(segment);
                packet.writeBytes(segment);
                if (segment.length < 255) {
                    packets.add(packet.toByteArray());
                    packet.reset();
                }
            }
        }
        return packets.subList(2, packets.size());
    }

    /** All samples of payloads, decoded one after the other. */
    public static short[] decoded(Codec codec, List<byte[]> payloads) {
        AudioDecoder decoder = Objects.requireNonNull(Decoders.of(codec), codec.encodingName());
        short[] to = new short[decoder.rate()];
        short[] all = new short[0];
        for (byte[] payload : payloads) {
            int count = decoder.decode(payload, payload.length, to);
            int length = all.length;
            all = Arrays.copyOf(all, length + count);
            System.arraycopy(to, 0, all, length, count);
        }
        return all;
    }

    static byte[] octets(short[] samples) {
        ByteBuffer octets = ByteBuffer.allocate(2 * samples.length).order(ByteOrder.LITTLE_ENDIAN);
        octets.asShortBuffer().put(samples);
        return octets.array();
    }

    static short[] samples(byte[] octets) {
        short[] samples = new short[octets.length / 2];
        ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(samples);
        return samples;
    }

    static String hash(short[] samples) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(octets(samples));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
