/**
 * Wires packet sources to lanes to calls.
 *
 * <p>{@link io.offhook.analysis.Analysis} reads a source in rounds: lanes decode its batches side by side, then shards of
 * streams, dialogs and media work on what was found, each in the order of capture, so that the result does not depend on
 * the number of lanes. What comes of it is an {@link io.offhook.analysis.AnalysisResult}, with a count of all that gave way
 * to a limit.
 */
@NullMarked
package io.offhook.analysis;

import org.jspecify.annotations.NullMarked;
