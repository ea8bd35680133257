package io.offhook.forward.application;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.LaneScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A port that a {@link PortBackend} is to make, and what the ports of one application share. */
public final class PortRequest {
    /** What ports share, which is closed after them. */
    public interface Shared extends AutoCloseable {
        @Override
        void close();
    }

    /** Of one application. */
    static final class Common implements AutoCloseable {
        private final Map<Class<?>, Shared> shared = new LinkedHashMap<>();
        private final List<Supplier<LaneScope>> scopes = new ArrayList<>();

        /** All of them, on the thread of a lane; ended in reverse. */
        LaneScope enter() {
            List<LaneScope> entered = new ArrayList<>();
            for (Supplier<LaneScope> scope : scopes) {
                entered.addFirst(scope.get());
            }
            return () -> entered.forEach(LaneScope::close);
        }

        @Override
        public void close() {
            shared.values().forEach(Shared::close);
            shared.clear();
        }
    }

    private final ForwardConfig config;
    private final ForwardConfig.PortConfig port;
    private final Common common;

    PortRequest(ForwardConfig config, ForwardConfig.PortConfig port, Common common) {
        this.config = config;
        this.port = port;
        this.common = common;
    }

    /** Of the whole application. */
    public ForwardConfig config() {
        return config;
    }

    /** The port to make. */
    public ForwardConfig.PortConfig port() {
        return port;
    }

    /**
     * What the backend's own section became.
     *
     * @param keys as {@link PortBackend#keys} has them
     * @param <S> what they become
     */
    public <S> S section(ConfigSchema<S> keys) {
        return config.section(keys);
    }

    /**
     * What the ports of the application share.
     *
     * @param maker is asked when the first port wants it
     * @param <S> its class, of which there is one
     */
    public <S extends Shared> S shared(Class<S> type, Supplier<S> maker) {
        Shared there = common.shared.get(type);
        if (there == null) {
            there = maker.get();
            common.shared.put(type, there);
        }
        return type.cast(there);
    }

    /** Has the thread of each lane begin with something, such as being known to DPDK. */
    public void scope(Supplier<LaneScope> scope) {
        common.scopes.add(scope);
    }
}
