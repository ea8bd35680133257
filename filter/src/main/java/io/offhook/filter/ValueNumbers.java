package io.offhook.filter;

import java.util.HashMap;
import java.util.Map;

/**
 * Value numbering: the same operation on values of the same numbers has the same number, so that equal numbers are equal
 * values, wherever they were computed. 0 is a value that is not known.
 */
final class ValueNumbers {
    private record Operation(int code, int left, int right) {
        // written out, as in Optimizer: what the compiler makes of a record is linked at its first use

        @Override
        public boolean equals(Object other) {
            return other instanceof Operation that && code == that.code && left == that.left && right == that.right;
        }

        @Override
        public int hashCode() {
            return (code * 31 + left) * 31 + right;
        }
    }

    private static final int CONSTANT = BpfOpcode.LD | BpfOpcode.IMM;

    private final Map<Operation, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> constants = new HashMap<>();

    void clear() {
        numbers.clear();
        constants.clear();
    }

    int of(int code, int left, int right) {
        Operation operation = new Operation(code, left, right);
        Integer known = numbers.get(operation);
        if (known != null) {
            return known;
        }
        int number = numbers.size() + 1;
        numbers.put(operation, number);
        if (code == CONSTANT) {
            constants.put(number, left);
        }
        return number;
    }

    int ofConstant(int k) {
        return of(CONSTANT, k, 0);
    }

    boolean isConstant(int number) {
        return constants.containsKey(number);
    }

    /** The constant of a number that {@link #isConstant}. */
    int constant(int number) {
        Integer constant = constants.get(number);
        if (constant == null) {
            throw new IllegalArgumentException("value " + number + " is no constant");
        }
        return constant;
    }
}
