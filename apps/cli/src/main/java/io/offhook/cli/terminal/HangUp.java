package io.offhook.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Handles SIGHUP as a request to reload the configuration. The only API for signals is {@code sun.misc.Signal} in the module
 * jdk.unsupported. It is used by reflection, because compilers warn about it; if it is missing, SIGHUP ends the process as by
 * default.
 */
public final class HangUp implements AutoCloseable {
    private final Object before;

    private HangUp(Object before) {
        this.before = before;
    }

    /** @param action called for each signal, by a thread of the JVM */
    @SuppressWarnings("ReferenceEquality")
    public // a proxy must handle the methods of Object
    static HangUp to(Runnable action) {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    HangUp.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                action.run();
                                yield null;
                            }
                            case "equals" -> arguments != null && self == arguments[0];
                            case "hashCode" -> System.identityHashCode(self);
                            default -> "read the configuration again";
                        };
                    });
            return new HangUp(handle(proxy));
        } catch (ReflectiveOperationException e) {
            return new HangUp("");
        }
    }

    /** @return the previous handler */
    private static Object handle(Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> type = Class.forName("sun.misc.SignalHandler");
        try {
            return signal.getMethod("handle", signal, type)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(e); // the JVM handles this signal itself, or was started with -Xrs
        }
    }

    @Override
    public void close() {
        try {
            if (!before.equals("")) {
                handle(before);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the previous handler of SIGHUP cannot be restored", e);
        }
    }
}
