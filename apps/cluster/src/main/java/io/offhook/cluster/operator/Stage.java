package io.offhook.cluster.operator;

/** The operators, in an order in which each sends to later ones only. */
public enum Stage {
    /** {@link DialogOperator}, by Call-ID. */
    DIALOG,
    /** {@link StreamOperator}, by stream. */
    STREAM,
    /** {@link EndpointOperator}, by address and port. */
    ENDPOINT,
    /** {@link BindingOperator}, by stream. */
    BINDING,
    /** {@link CallOperator}, by Call-ID. */
    CALL
}
