package io.offhook.research;

/** A question that is answered by measuring. */
public interface Suite {
    /** As on the command line: one lower-case word. */
    String name();

    /** Measures. Reports progress on standard error. A missing peer is a remark, never a failure. */
    SuiteResult run(Effort effort);
}
