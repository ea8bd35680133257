package io.offhook.sip.proxy;

import java.util.ArrayList;

/** Response contexts that are used again. */
final class ContextPool {
    private final ProxyCore core;
    private final ArrayList<ResponseContext> free = new ArrayList<>();
    private int used;

    ContextPool(ProxyCore core) {
        this.core = core;
    }

    ResponseContext take() {
        used++;
        return free.isEmpty() ? new ResponseContext(core) : free.removeLast();
    }

    void release(ResponseContext context) {
        used--;
        context.attachment(null);
        context.laterSets.clear();
        free.add(context);
    }

    int used() {
        return used;
    }

    /** Drops half of what is free. */
    void trim() {
        int keep = free.size() / 2;
        while (free.size() > keep) {
            free.removeLast();
        }
        if (keep == 0) {
            free.trimToSize();
        }
    }
}
