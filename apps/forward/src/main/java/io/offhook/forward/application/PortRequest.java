package io.offhook.forward.application;

import io.offhook.config.ConfigSchema;
import io.offhook.forward.LaneScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The port that a {@link PortBackend} has to create, and what the ports of an application share. */
public final class PortRequest {
    /** A resource that ports share, closed after them. */
    public interface Shared extends AutoCloseable {
        @Override
        void close();
    }

    /** The shared resources of one application. */
    static final class Common implements AutoCloseable {
        private final Map<Class<?>, Shared> shared = new LinkedHashMap<>();
        private final List<Supplier<LaneScope>> scopes = new ArrayList<>();

        /** Enters all scopes on the thread of a lane; they are closed in reverse order. */
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

    /** The configuration of the whole application. */
    public ForwardConfig config() {
        return config;
    }

    /** The port to create. */
    public ForwardConfig.PortConfig port() {
        return port;
    }

    /**
     * Returns the values of the backend's own section.
     *
     * @param keys the backend's {@link PortBackend#keys}
     * @param <S> the type of the values
     */
    public <S> S section(ConfigSchema<S> keys) {
        return config.section(keys);
    }

    /**
     * Returns a resource that the ports of the application share.
     *
     * @param maker creates it when the first port asks for it
     * @param <S> its class; there is one instance per class
     */
    public <S extends Shared> S shared(Class<S> type, Supplier<S> maker) {
        Shared there = common.shared.get(type);
        if (there == null) {
            there = maker.get();
            common.shared.put(type, there);
        }
        return type.cast(there);
    }

    /** Adds a scope that the thread of each lane holds while it runs, such as its registration with DPDK. */
    public void scope(Supplier<LaneScope> scope) {
        common.scopes.add(scope);
    }
}
