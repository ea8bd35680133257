package io.offhook.cli.rewrite;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
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
 * The options that put other addresses in the place of those of packets. A key comes from a file, never from the command
 * line, which all users of a machine can see; a random one is never shown, and gone when the command ends.
 */
final class AnonymizeOptions {
    private static final String RANDOM = "random";
    /** As hexadecimal digits, with room for spaces and line breaks. */
    private static final int MOST_KEY_FILE_BYTES = 1024;

    private AnonymizeOptions() {}

    static void describe(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--anonymize", "--anonymise")
                .paramLabel("KEY")
                .type(String.class)
                .description(
                        "Put other IP addresses in the place of all in headers, by Crypto-PAn, which keeps networks"
                                + " together: KEY is a file with 32 bytes, or 64 hexadecimal digits; random for a key that nobody"
                                + " gets to know. Payloads stay as they are; see --headers-only.")
                .build());
        spec.addOption(OptionSpec.builder("--anonymize-macs", "--anonymise-macs")
                .description("With --anonymise: MAC addresses, too, except vendor prefixes and group addresses.")
                .build());
    }

    /** The anonymiser of these options; null if none was given. */
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
     * Whether an option of pcapng is a number, or a text that programs make of the machine: not a comment, an address (4 to
     * 7) or filter (11) of an interface, a name server, nor what is not known.
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
            throw new MisuseException("--anonymise " + name + ": there is no such key file; random makes a key");
        } catch (IOException e) {
            throw new MisuseException("--anonymise " + name + ": the key file cannot be read: " + e.getMessage());
        }
        if (bytes.length == CryptoPan.KEY_BYTES) {
            return bytes;
        }
        String digits = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("\\s+", "");
        if (!digits.matches("[0-9a-fA-F]{64}")) {
            throw new MisuseException("--anonymise " + name
                    + ": a key of 32 bytes, or 64 hexadecimal digits, was expected, the file holds "
                    + (bytes.length > MOST_KEY_FILE_BYTES ? "more" : "something else"));
        }
        return HexFormat.of().parseHex(digits);
    }
}
