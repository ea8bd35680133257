package io.offhook.proxy.location;

import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.util.List;

/** A change of the bindings of one address of record. Pure: a store may apply it again, when it lost a race. */
@FunctionalInterface
public interface BindingChange {
    /**
     * Applies the change.
     *
     * @param current the bindings of the address of record, which may include expired ones
     */
    RegisterOutcome apply(List<Binding> current);
}
