package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.libc.Grp;
import io.offhook.linux.libc.Pwd;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A user of this system, getpwnam(3).
 *
 * @param name the login name
 * @param user the user id
 * @param group the id of the primary group
 */
public record UserAccount(String name, int user, int group) {
    /** For all texts of an account; the C library recommends 1,024 bytes. */
    private static final int TEXT_BYTES = 64 << 10;

    private static final int ENOENT = 2;

    /**
     * Looks up a user; null if there is none of this name.
     *
     * @throws LinuxException if the look-up fails
     */
    public static @Nullable UserAccount named(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment account = arena.allocate(Pwd.PASSWD_BYTES, Long.BYTES);
            MemorySegment found = arena.allocate(ADDRESS);
            int errno = Pwd.getpwnam(arena.allocateFrom(name), account, arena.allocate(TEXT_BYTES), found);
            if (errno != 0 && errno != ENOENT) {
                throw new LinuxException("look up user " + name, errno);
            }
            return found.get(ADDRESS, 0).address() == 0
                    ? null
                    : new UserAccount(
                            name, account.get(JAVA_INT, Pwd.PASSWD_USER), account.get(JAVA_INT, Pwd.PASSWD_GROUP));
        }
    }

    /**
     * Changes this process to the user, with the user's groups, irrevocably. All capabilities are lost with root, in
     * all threads, which the C library ensures (the kernel itself changes the calling thread only). Open descriptors
     * stay open.
     *
     * @throws LinuxException EPERM if the process is not root's; EAGAIN if the user has too many processes
     * @throws IllegalStateException if the process could still become root again
     */
    public void become() {
        try (Arena arena = Arena.ofConfined()) {
            LinuxException.check(Grp.initgroups(arena.allocateFrom(name), group), "take the groups of " + name);
        }
        LinuxException.check(Unistd.setgid(group), "become a member of group " + group);
        LinuxException.check(Unistd.setuid(user), "become user " + name);
        if (user != 0 && Unistd.setuid(0) == 0) {
            throw new IllegalStateException("this process became user " + name + " but could become root again");
        }
    }
}
