package io.offhook.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * SIGHUP as a way to say "read your configuration again". Java has no interface for signals but {@code sun.misc.Signal}, of
 * the module jdk.unsupported, which is used by its name: compilers warn of it, and where it is not there, SIGHUP ends the
 * process as it always did.
 */
public final class HangUp implements AutoCloseable {
    private final Object before;

    private HangUp(Object before) {
        this.before = before;
    }

    /** @param action is called by a thread of the JVM's, each time */
    @SuppressWarnings("ReferenceEquality")
    public // what a proxy has to do for Object
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

    /** @return what handled it before */
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
            throw new IllegalStateException("SIGHUP cannot be given back", e);
        }
    }
}
