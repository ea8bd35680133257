package io.offhook.proxy.users;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Changes a user file: the whole file is written beside and moved over the old one, so that whoever reads it sees the one or
 * the other. Owner and mode are kept; a new file is its owner's only. Comments and the order of lines are kept. Two programs
 * that change it at the same time wait for each other.
 */
public final class UserFileEditor {
    private final Path file;

    /**
     * Creates an editor; nothing is read yet.
     *
     * @param file the file; it need not exist
     */
    public UserFileEditor(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** The file could not be read or written; it is as it was. */
    public static final class Failure extends IOException {
        private static final long serialVersionUID = 1;

        Failure(String message, IOException cause) {
            super(message, cause);
        }
    }

    /**
     * A user as listed.
     *
     * @param name the user name
     * @param realm the realm
     * @param hasMd5 whether old phones, which know MD5 only, can log in
     */
    public record Listed(String name, String realm, boolean hasMd5) {}

    /**
     * Adds a user, or replaces its password.
     *
     * @param name the user name
     * @param realm the realm
     * @param password the password, which is not stored
     * @param hasMd5 whether phones that know MD5 only can log in
     * @return whether the user is new
     * @throws IllegalArgumentException if name, realm or password cannot be used; the message says why
     * @throws UserFileException if it has lines that cannot be read
     * @throws Failure if the file cannot be read or written; then it is as it was
     */
    public boolean add(String name, String realm, String password, boolean hasMd5) throws UserFileException, Failure {
        check("user name", name);
        check("realm", realm);
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the password is empty");
        }
        UserKeys.User user = new UserKeys.User(name, realm);
        String line = UserKeys.line(user, password, hasMd5);
        return change(lines -> {
            List<String> changed = new ArrayList<>(lines);
            int at = find(lines, user);
            if (at < 0) {
                changed.add(line);
            } else {
                changed.set(at, line);
            }
            return changed;
        });
    }

    /**
     * Removes a user.
     *
     * @return whether there was one
     * @throws UserFileException if it has lines that cannot be read
     * @throws Failure if the file cannot be read or written; then it is as it was
     */
    public boolean remove(String name, String realm) throws UserFileException, Failure {
        if (!Files.exists(file)) {
            return false;
        }
        return change(lines -> {
            int at = find(lines, new UserKeys.User(name, realm));
            List<String> changed = new ArrayList<>(lines);
            if (at >= 0) {
                changed.remove(at);
            }
            return changed;
        });
    }

    /**
     * The users in the order of the file; none if there is no file.
     *
     * @throws UserFileException if it has lines that cannot be read
     * @throws Failure if the file cannot be read
     */
    public List<Listed> list() throws UserFileException, Failure {
        List<Listed> listed = new ArrayList<>();
        for (String line : read()) {
            if (!UserKeys.isIgnored(line)) {
                UserKeys.User user = UserKeys.user(line);
                listed.add(new Listed(user.name(), user.realm(), !line.strip().endsWith(":-")));
            }
        }
        return listed;
    }

    private static void check(String what, String text) {
        String fault = UserKeys.fault(text);
        if (fault != null) {
            throw new IllegalArgumentException("the " + what + " " + fault);
        }
    }

    private static int find(List<String> lines, UserKeys.User user) {
        for (int i = 0; i < lines.size(); i++) {
            if (!UserKeys.isIgnored(lines.get(i)) && UserKeys.user(lines.get(i)).equals(user)) {
                return i;
            }
        }
        return -1;
    }

    /** The lines of the file, all of which can be read; none if there is no file. */
    private List<String> read() throws UserFileException, Failure {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> lines;
        try {
            lines = UserFile.lines(file, Files.size(file));
        } catch (IOException e) {
            throw new Failure(file + " cannot be read: " + reason(e), e);
        }
        UserKeys.parse(lines, file.toString());
        return lines;
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "its directory does not exist";
            case CharacterCodingException _ -> "it is not UTF-8";
            default -> String.valueOf(e.getMessage());
        };
    }

    /** @return whether the number of lines changed */
    private boolean change(UnaryOperator<List<String>> change) throws UserFileException, Failure {
        Path lockFile = file.resolveSibling("." + file.getFileName() + ".lock");
        try (FileChannel channel = create(lockFile);
                FileLock lock = channel.lock()) {
            List<String> before = read();
            List<String> after = change.apply(before);
            if (!after.equals(before)) {
                replace(after);
            }
            return lock.isValid() && after.size() != before.size();
        } catch (UserFileException | Failure e) {
            throw e;
        } catch (IOException e) {
            throw new Failure(file + " cannot be changed: " + reason(e), e);
        }
    }

    private void replace(List<String> lines) throws IOException {
        // through a symbolic link: what it points to is replaced
        Path real = Files.exists(file) ? file.toRealPath() : file;
        Path temporary = real.resolveSibling("." + real.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try {
            try (FileChannel out = create(temporary)) {
                ByteBuffer bytes =
                        StandardCharsets.UTF_8.encode(String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                keepOwner(real, temporary);
                out.force(true);
            }
            Files.move(temporary, real, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** So that a proxy that runs as another user can still read the file after root changed it. */
    private static void keepOwner(Path before, Path after) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(after, PosixFileAttributeView.class);
        if (view == null || !Files.exists(before)) {
            return;
        }
        PosixFileAttributes attributes = Files.readAttributes(before, PosixFileAttributes.class);
        PosixFileAttributes own = view.readAttributes();
        if (!own.owner().equals(attributes.owner())) {
            view.setOwner(attributes.owner());
        }
        if (!own.group().equals(attributes.group())) {
            view.setGroup(attributes.group());
        }
        view.setPermissions(attributes.permissions());
    }

    private static FileChannel create(Path path) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? FileChannel.open(
                        path,
                        options,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                : FileChannel.open(path, options);
    }

    /** The file, or what would be it. */
    public Path path() {
        return file;
    }
}
