package io.offhook.cli.rewrite;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.packet.edit.CryptoPan;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.pcap.PcapNgBlock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The options that replace addresses in packets. The key is read from a file, never from the command line, which all users
 * of a machine can see. A random key is never shown, and is gone when the command ends.
 */
final class AnonymizeOptions {
    private static final String RANDOM = "random";
    /** The limit for a key file: hexadecimal digits, with room for spaces and line breaks. */
    private static final int MOST_KEY_FILE_BYTES = 1024;

    private AnonymizeOptions() {}

    static void describe(CommandSpec spec) {
        spec.addOption(
                "--anonymize",
                "--anonymise",
                "KEY",
                String.class,
                "Replace all IP addresses in headers, by Crypto-PAn, which preserves prefixes. KEY is a file with 32"
                        + " bytes or 64 hexadecimal digits, or random for a key that is used once and not stored."
                        + " Payloads are not changed; see --headers-only.");
        spec.addFlag(
                "--anonymize-macs",
                "--anonymise-macs",
                "With --anonymise: also replace MAC addresses, except vendor prefixes and group addresses.");
    }

    /** The anonymiser that the arguments describe; null if not requested. */
    static @Nullable PacketAnonymizer of(ParseResult arguments) {
        String key = arguments.optionValue("--anonymise", String.class);
        boolean changesMacs = arguments.hasMatchedOption("--anonymise-macs");
        if (key == null) {
            if (changesMacs) {
                throw new MisuseException("--anonymise-macs requires --anonymise, which names the key");
            }
            return null;
        }
        return new PacketAnonymizer(new CryptoPan(key.equals(RANDOM) ? random() : ofFile(key)), changesMacs);
    }

    /**
     * Whether an option of pcapng cannot contain an address: numbers, and texts about the machine. Comments, addresses (4 to
     * 7) and filters (11) of interfaces, name servers and unknown options may contain one.
     */
    static boolean hasNoAddress(int blockType, int code) {
        return switch (blockType) {
            // hardware, system, application
            case PcapNgBlock.SECTION_HEADER -> code >= 2 && code <= 4;
            case PcapNgBlock.INTERFACE_DESCRIPTION -> code == 2 || code == 3 || code >= 8 && code <= 17 && code != 11;
            // flags, drops, number, queue, verdict, process
            case PcapNgBlock.ENHANCED_PACKET, PcapNgBlock.OBSOLETE_PACKET -> code == 2 || code >= 4 && code <= 8;
            case PcapNgBlock.INTERFACE_STATISTICS -> code >= 2 && code <= 8;
            default -> false;
        };
    }

    private static byte[] random() {
        byte[] key = new byte[CryptoPan.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    private static byte[] ofFile(String name) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(Path.of(name))) {
            bytes = in.readNBytes(MOST_KEY_FILE_BYTES + 1);
        } catch (InvalidPathException | NoSuchFileException e) {
            throw new MisuseException(
                    "--anonymise " + name + ": there is no such key file; to generate a key, use random");
        } catch (IOException e) {
            throw new MisuseException("--anonymise " + name + ": the key file cannot be read: " + e.getMessage());
        }
        if (bytes.length == CryptoPan.KEY_BYTES) {
            return bytes;
        }
        String digits = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("\\s+", "");
        if (!digits.matches("[0-9a-fA-F]{64}")) {
            throw new MisuseException("--anonymise " + name
                    + ": expected a key of 32 bytes or 64 hexadecimal digits, but the file holds "
                    + (bytes.length > MOST_KEY_FILE_BYTES ? "more" : "something else"));
        }
        return HexFormat.of().parseHex(digits);
    }
}
