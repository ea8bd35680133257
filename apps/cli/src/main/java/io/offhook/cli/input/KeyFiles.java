package io.offhook.cli.input;

import io.offhook.cli.command.MisuseException;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.decrypt.KeyFileException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the files with keys; apart from {@link KeyOptions}, which is loaded without any. */
final class KeyFiles {
    private KeyFiles() {}

    static DecryptionKeys open(@Nullable String log, @Nullable String srtp, List<String> captures) {
        try {
            DecryptionKeys keys = DecryptionKeys.open(path(log), path(srtp));
            for (String capture : captures) {
                if (!capture.equals("-")) {
                    keys.log().addSecretsOf(Path.of(capture));
                }
            }
            return keys;
        } catch (KeyFileException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        } catch (InvalidPathException e) {
            throw new MisuseException("the name of a key file is not valid: " + e.getReason());
        }
    }

    private static @Nullable Path path(@Nullable String name) {
        return name == null ? null : Path.of(name);
    }
}
