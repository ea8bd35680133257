package io.offhook.cli.input;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.decrypt.RtcpKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code --keylog}, {@code --decrypt} and {@code --srtp-keys}: the keys of a capture. Without them, nothing of the module
 * {@code decrypt} is loaded.
 */
public final class KeyOptions implements AutoCloseable {
    private static final String KEY_LOG = "--keylog";
    private static final String DECRYPT = "--decrypt";
    private static final String SRTP_KEYS = "--srtp-keys";

    private final DecryptionKeys keys;

    private KeyOptions(DecryptionKeys keys) {
        this.keys = keys;
    }

    /** Adds the options for SIP over TLS. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                KEY_LOG,
                "FILE",
                String.class,
                "Read SIP over TLS with the secrets in a key log (SSLKEYLOGFILE), which may grow, or in a pcapng file"
                        + " (docs/DECRYPTION.md).");
        spec.addFlag(DECRYPT, "Read SIP over TLS with the secrets that the pcapng files themselves contain.");
    }

    /** Adds the option for keys of media. */
    public static void describeMedia(CommandSpec spec) {
        spec.addOption(
                SRTP_KEYS,
                "FILE",
                String.class,
                "Keys of SRTP, one a line, for streams whose keys neither SDP nor a key log has (docs/DECRYPTION.md).");
    }

    /** Whether there are secrets of TLS. */
    public static boolean isGiven(ParseResult arguments) {
        return arguments.hasMatchedOption(KEY_LOG) || arguments.hasMatchedOption(DECRYPT);
    }

    /** Whether any keys were given. */
    public static boolean isAnyGiven(ParseResult arguments) {
        return isGiven(arguments) || arguments.hasMatchedOption(SRTP_KEYS);
    }

    /**
     * The keys that were given; null if none of the options was.
     *
     * @param captures the files that are read; those that are pcapng may contain secrets
     */
    public static @Nullable KeyOptions of(ParseResult arguments, List<String> captures) {
        String log = arguments.optionValue(KEY_LOG, String.class);
        String srtp = arguments.optionValue(SRTP_KEYS, String.class);
        return log == null && srtp == null && !arguments.hasMatchedOption(DECRYPT)
                ? null
                : new KeyOptions(KeyFiles.open(log, srtp, captures));
    }

    /** Keys that came another way; closed by their owner, or with this. */
    public static KeyOptions of(DecryptionKeys keys) {
        return new KeyOptions(keys);
    }

    /** The same options, with which TLS and SRTCP are opened. */
    public AnalysisOptions in(AnalysisOptions options) {
        return options.withTls(keys::tls).withRtcp(() -> new RtcpKeys(keys));
    }

    /** The keys, which are overwritten when this is closed. */
    public DecryptionKeys keys() {
        return keys;
    }

    @Override
    public void close() {
        keys.close();
    }
}
