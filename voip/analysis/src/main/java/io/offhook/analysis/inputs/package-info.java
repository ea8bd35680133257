/**
 * At which inputs of a run calls were seen: {@link io.offhook.analysis.inputs.SeenInputs} is plugged into the pipeline of a
 * live capture of several interfaces, notes the inputs of each Call-ID and stream while it runs, and answers for a call, or
 * for a message, from which of them it came. A run with one input does without it, and pays nothing.
 */
@NullMarked
package io.offhook.analysis.inputs;

import org.jspecify.annotations.NullMarked;
