package io.offhook.forward.application;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;

/** The available backends, by name. */
final class PortBackends {
    private PortBackends() {}

    static Map<String, PortBackend> all() {
        Map<String, PortBackend> backends = new LinkedHashMap<>();
        for (PortBackend backend : ServiceLoader.load(PortBackend.class)) {
            if (backends.putIfAbsent(backend.name(), backend) != null) {
                throw new IllegalArgumentException("there are two backends named " + backend.name());
            }
        }
        return backends;
    }
}
