package io.offhook.proxy.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.sip.digest.DigestAlgorithm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserFileTest {
    /** htdigest's and openssl's: printf 'alice:example.com:wonderland' | md5sum, sha256sum. */
    private static final String ALICE = "alice:example.com:"
            + "8a76b8adf2eb7492ff78f57bc361a5c93e2f53c6e93f7ee91f68b5382cfea14f:93dfce8dfebfae8af4a726982429d23a";

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("users");
    }

    @Test
    void aUserIsStoredByKeysAndNotByPassword() throws IOException {
        assertThat(new UserFileEditor(file).add("alice", "example.com", "wonderland", true))
                .isTrue();

        assertThat(file).hasContent(ALICE);
        UserFile users = UserFile.open(file);
        for (DigestAlgorithm algorithm : List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5)) {
            assertThat(users.ha1("alice", "example.com", algorithm))
                    .isEqualTo(algorithm.ha1("alice", "example.com", "wonderland"));
        }
        assertThat(users.ha1("alice", "example.com", DigestAlgorithm.SHA_512_256))
                .isNull();
        assertThat(users.ha1("alice", "example.org", DigestAlgorithm.MD5)).isNull();
        assertThat(users.ha1("Alice", "example.com", DigestAlgorithm.MD5)).isNull();
    }

    @Test
    void usersAreAddedChangedListedAndRemovedAndCommentsStay() throws IOException {
        Files.writeString(file, "# ours\n\n" + ALICE + "\n");
        UserFileEditor editor = new UserFileEditor(file);

        assertThat(editor.add("bob", "example.com", "secret", false)).isTrue();
        assertThat(editor.add("alice", "example.com", "other", true))
                .as("a new password")
                .isFalse();

        assertThat(editor.list())
                .containsExactly(
                        new UserFileEditor.Listed("alice", "example.com", true),
                        new UserFileEditor.Listed("bob", "example.com", false));
        assertThat(Files.readString(file))
                .startsWith("# ours\n\nalice:")
                .doesNotContain("8a76b8adf2eb7492ff78f57bc361a5c93e2f53c6e93f7ee91f68b5382cfea14f")
                .endsWith(":-\n");
        assertThat(UserFile.open(file).ha1("bob", "example.com", DigestAlgorithm.MD5))
                .isNull();
        assertThat(editor.remove("alice", "example.com")).isTrue();
        assertThat(editor.remove("alice", "example.com")).isFalse();
        assertThat(editor.list()).hasSize(1);
        assertThat(UserFile.open(file).size()).isEqualTo(1);
    }

    @Test
    void aNewFileIsItsOwnersAndAnOldOneKeepsItsMode() throws IOException {
        UserFileEditor editor = new UserFileEditor(file);
        editor.add("alice", "example.com", "wonderland", true);
        assertThat(mode()).isEqualTo("rw-------");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        editor.add("bob", "example.com", "secret", true);
        assertThat(mode()).isEqualTo("rw-r-----");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("users", ".users.lock");
        }
    }

    private String mode() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void whatASymbolicLinkPointsToIsReplaced() throws IOException {
        Path real = Files.createDirectory(directory.resolve("etc")).resolve("real");
        Files.writeString(real, ALICE + "\n");
        Files.createSymbolicLink(file, real);

        new UserFileEditor(file).add("bob", "example.com", "secret", true);

        assertThat(file).isSymbolicLink();
        assertThat(Files.readAllLines(real)).hasSize(2);
    }

    @Test
    void aChangedFileIsReadAgainAndAWrongOneLeavesTheUsersAsTheyWere() throws IOException {
        Files.writeString(file, ALICE + "\n");
        UserFile users = UserFile.open(file);
        assertThat(users.reloadIfChanged()).isFalse();

        new UserFileEditor(file).add("bob", "example.com", "secret", true);
        assertThat(users.reloadIfChanged()).isTrue();
        assertThat(users.size()).isEqualTo(2);

        Files.writeString(file, "nonsense\n" + ALICE + "\n" + ALICE + "\ncarol:r:00:-\n");
        assertThatThrownBy(users::reloadIfChanged)
                .isInstanceOfSatisfying(
                        UserFileException.class,
                        e -> assertThat(e.faults())
                                .containsExactly(
                                        file + ":1: is not name:realm:SHA-256:MD5, four fields separated by colons",
                                        file + ":3: names a user for the second time",
                                        file + ":4: the third field is not 64 hex digits"));
        assertThat(users.size()).isEqualTo(2);
        assertThat(users.reloadIfChanged()).as("reported once").isFalse();
        Files.delete(file);
        assertThatThrownBy(users::reloadIfChanged).isInstanceOf(NoSuchFileException.class);
        assertThat(users.size()).isEqualTo(2);
    }

    @Test
    void aFileThatWasWrittenInPlaceIsReadAgain() throws IOException {
        Files.writeString(file, ALICE + "\n");
        UserFile users = UserFile.open(file);
        Files.writeString(file, ALICE.replace("alice", "other") + "\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 5000));

        assertThat(users.reloadIfChanged()).isTrue();
        assertThat(users.ha1("other", "example.com", DigestAlgorithm.MD5)).isNotNull();
    }

    @Test
    void aFileThatCannotBeReadIsNotChanged() throws IOException {
        Files.writeString(file, "nonsense\n");

        assertThatThrownBy(() -> new UserFileEditor(file).add("a", "b", "c", true))
                .isInstanceOf(UserFileException.class);
        assertThat(file).hasContent("nonsense");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:b", "#a", " a", "a ", "a\nb", "a\u007fb"})
    void namesThatWouldSpoilTheFileAreRefused(String name) {
        UserFileEditor editor = new UserFileEditor(file);

        assertThatThrownBy(() -> editor.add(name, "example.com", "x", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the user name ");
        assertThatThrownBy(() -> editor.add("alice", name, "x", true)).hasMessageStartingWith("the realm ");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"'',the password is empty"})
    void anEmptyPasswordIsRefused(String password, String message) {
        assertThatThrownBy(() -> new UserFileEditor(file).add("alice", "example.com", password, true))
                .hasMessage(message);
    }

    @Test
    void whoeverChangesItWaitsForTheOther() throws Exception {
        Path lockFile = directory.resolve(".users.lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            // within one process a lock that is held is an exception, which shows that it was asked for
            assertThatThrownBy(() -> new UserFileEditor(file).add("alice", "example.com", "x", true))
                    .isInstanceOf(java.nio.channels.OverlappingFileLockException.class);
        }
        assertThat(new UserFileEditor(file).add("alice", "example.com", "x", true))
                .isTrue();
    }

    @Test
    void aSharedSecretIsTheSameAfterARestartAndAnotherForEachPurpose() throws IOException {
        Path secret = directory.resolve("secret");
        Files.write(secret, "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        DigestConfig shared = new DigestConfig(null, io.offhook.sip.digest.DigestSettings.DEFAULT, secret);

        assertThat(shared.secret("nonce")).isEqualTo(shared.secret("nonce")).isNotEqualTo(shared.secret("gruu"));
        DigestConfig random = new DigestConfig(null, io.offhook.sip.digest.DigestSettings.DEFAULT, null);
        assertThat(random.secret("nonce")).isNotEqualTo(random.secret("nonce"));
        Files.write(secret, new byte[3]);
        assertThatThrownBy(() -> shared.secret("nonce")).hasMessageContaining("has 3 bytes");
    }
}
