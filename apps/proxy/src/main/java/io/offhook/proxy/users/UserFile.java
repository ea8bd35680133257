package io.offhook.proxy.users;

import io.offhook.sip.digest.DigestAlgorithm;
import io.offhook.sip.digest.DigestUsers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The users in a file: name, realm and keys, one user a line. The file is read again when it changed; one that cannot be read
 * leaves the users as they were. {@link #ha1} may be called by any thread, all else by one thread at a time.
 */
public final class UserFile implements DigestUsers {
    /** Far more than a million users. */
    private static final long MOST_BYTES = 512L << 20;

    private final Path file;
    private volatile UserKeys keys = UserKeys.NONE;
    private @Nullable Version read;

    /** What tells that a file is another one: names are moved over it, and it is written in place. */
    private record Version(
            long modifiedMs, long size, @Nullable Object key) {
        static Version of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
        }
    }

    private UserFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws NoSuchFileException if there is none
     * @throws UserFileException if lines cannot be read
     * @throws IOException if the file cannot be read
     */
    public static UserFile open(Path file) throws IOException {
        UserFile users = new UserFile(file);
        users.reloadIfChanged();
        return users;
    }

    /**
     * Reads the file again if it is another one than before, or was written since. To be called every second or so; it
     * reads attributes only while nothing changed.
     *
     * @return whether it was read
     * @throws IOException if it cannot be read; the users remain as they were, and the next call looks again only once the
     *     file has changed
     */
    public boolean reloadIfChanged() throws IOException {
        Version now = Version.of(file);
        if (now.equals(read)) {
            return false;
        }
        read = now;
        keys = UserKeys.parse(lines(file, now.size()), file.toString());
        return true;
    }

    static List<String> lines(Path file, long size) throws IOException {
        if (size > MOST_BYTES) {
            throw new IOException(
                    file + " has " + size + " bytes, more than a user file can have (" + MOST_BYTES + ")");
        }
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }

    @Override
    public byte @Nullable [] ha1(String username, String realm, DigestAlgorithm algorithm) {
        return keys.ha1(username, realm, algorithm);
    }

    /** The number of users. */
    public int size() {
        return keys.size();
    }

    /** The file. */
    public Path path() {
        return file;
    }
}
