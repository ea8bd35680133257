package io.offhook.doctor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the owner of a socket: the lowest process id that has it open, by the links of {@code /proc/PID/fd}. */
final class SocketOwners {
    private static final String LINK = "socket:[";

    /**
     * A program that has a socket open.
     *
     * @param name the name of the program; null if unknown
     * @param pid the process id; 0 if unknown
     */
    record Owner(@Nullable String name, long pid) {
        static final Owner UNKNOWN = new Owner(null, 0);

        @Override
        public String toString() {
            return name + " (" + pid + ")";
        }
    }

    private final SystemTree tree;
    /** The owners found; dropped when a socket is no longer asked for. */
    private final Map<Long, Owner> known = new HashMap<>();
    /** Sockets whose owner was not found, so that the search is not repeated. */
    private final Set<Long> strangers = new HashSet<>();

    SocketOwners(SystemTree tree) {
        this.tree = tree;
    }

    /** As {@link #ownersOf}, as text: {@code kamailio (1234)}. */
    Map<Long, String> of(Set<Long> inodes) {
        Map<Long, String> texts = new HashMap<>();
        ownersOf(inodes).forEach((inode, owner) -> texts.put(inode, owner.toString()));
        return texts;
    }

    /** The visible owners by inode. Only root can see the files of other users' processes. */
    Map<Long, Owner> ownersOf(Set<Long> inodes) {
        known.keySet().retainAll(inodes);
        strangers.retainAll(inodes);
        Set<Long> wanted = new HashSet<>(inodes);
        wanted.removeAll(known.keySet());
        wanted.removeAll(strangers);
        if (!wanted.isEmpty()) {
            search(wanted);
            strangers.addAll(wanted);
        }
        return Map.copyOf(known);
    }

    /** @param wanted the inodes to find; found ones are removed */
    private void search(Set<Long> wanted) {
        List<Long> processes = tree.names("/proc").stream()
                .map(Numbers::parse)
                .filter(number -> number != null)
                .sorted()
                .toList();
        int closed = 0;
        for (long process : processes) {
            String folder = "/proc/" + process + "/fd";
            if (!tree.isListable(folder)) {
                closed += tree.exists(folder) ? 1 : 0;
                continue;
            }
            for (String descriptor : tree.names(folder)) {
                String link = tree.link(folder + "/" + descriptor);
                if (link != null && link.startsWith(LINK) && link.endsWith("]")) {
                    Long inode = Numbers.parse(link.substring(LINK.length(), link.length() - 1));
                    if (inode != null && wanted.remove(inode)) {
                        known.put(inode, new Owner(tree.word("/proc/" + process + "/comm"), process));
                    }
                }
            }
            if (wanted.isEmpty()) {
                return;
            }
        }
        if (closed > 0 && tree.isThisMachine()) {
            tree.note(
                    "whose " + wanted.size() + (wanted.size() == 1 ? " socket is" : " sockets are"),
                    "/proc/PID/fd",
                    "the files of other users' processes are not visible",
                    "run it as root");
        }
    }
}
