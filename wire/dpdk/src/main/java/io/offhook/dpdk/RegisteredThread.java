package io.offhook.dpdk;

import java.util.Set;

/**
 * A thread registered with DPDK as an lcore, rte_thread_register: it has its own cache in each mempool. Close it on the
 * same thread, before the thread ends.
 */
public final class RegisteredThread implements AutoCloseable {
    private final Thread owner;
    private final Set<Thread> registered;
    private boolean closed;

    private RegisteredThread(Thread owner, Set<Thread> registered) {
        this.owner = owner;
        this.registered = registered;
    }

    static RegisteredThread register(Eal eal, Set<Thread> registered) {
        check(registered);
        Thread caller = Thread.currentThread();
        registered.add(caller);
        eal.log().clear();
        if (RteEal.threadRegister() != 0) {
            registered.remove(caller);
            throw new DpdkException(
                    "register a thread", RteEal.errno(), eal.log().text());
        }
        return new RegisteredThread(caller, registered);
    }

    /** Checks that the calling thread can be registered; only the thread itself adds itself. */
    static void check(Set<Thread> registered) {
        Thread caller = Thread.currentThread();
        if (caller.isVirtual()) {
            throw new IllegalStateException("a virtual thread has no processor of its own; use a platform thread");
        }
        // DPDK would give it a second lcore, and forget the first
        if (registered.contains(caller)) {
            throw new IllegalStateException(caller + " is registered already");
        }
    }

    /** Ends the registration; to be called on the registered thread. */
    @Override
    public void close() {
        if (!closed) {
            if (!Thread.currentThread().equals(owner)) {
                throw new IllegalStateException("only " + owner + ", which is registered, can close this");
            }
            closed = true;
            RteEal.threadUnregister();
            registered.remove(owner);
        }
    }
}
