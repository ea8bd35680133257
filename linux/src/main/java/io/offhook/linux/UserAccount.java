package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A user of this system, getpwnam(3).
 *
 * @param name as it logs in
 * @param user its number
 * @param group the number of its first group
 */
public record UserAccount(String name, int user, int group) {
    /** For all texts of an account; the C library advises 1,024. */
    private static final int TEXT_BYTES = 64 << 10;

    private static final int ENOENT = 2;

    /**
     * The one of that name; null where there is none.
     *
     * @throws LinuxException where the system cannot say
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
     * Makes this process the user's, with the user's groups, for good: all capabilities go with root, in each of its
     * threads, which the C library sees to (the kernel by itself changes the calling thread alone). What is open stays open.
     *
     * @throws LinuxException EPERM where the process may not, for it is not root's; EAGAIN where the user has too many
     */
    public void become() {
        try (Arena arena = Arena.ofConfined()) {
            LinuxException.check(Grp.initgroups(arena.allocateFrom(name), group), "take the groups of " + name);
        }
        LinuxException.check(Unistd.setgid(group), "become a member of group " + group);
        LinuxException.check(Unistd.setuid(user), "become user " + name);
        if (user != 0 && Unistd.setuid(0) == 0) {
            throw new IllegalStateException("this process became user " + name + ", and could become root again");
        }
    }
}
