package io.offhook.research;

/** A question that is answered by measuring. */
public interface Suite {
    /** As on the command line: one lower-case word. */
    String name();

    /** Measures. Tells on standard error how far it is, and never fails because a peer is missing: it remarks on that. */
    SuiteResult run(Effort effort);
}
