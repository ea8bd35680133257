package io.offhook.cli.where;

import io.offhook.analysis.AnalysisResult;
import io.offhook.cli.input.OpenCapture;

/**
 * A capture of one point.
 *
 * @param name "A" for the first, "B", ...
 * @param path as given
 * @param input the file, closed
 * @param result of its analysis
 */
record PointFile(String name, String path, OpenCapture input, AnalysisResult result) {}
