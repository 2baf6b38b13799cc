// Calls one method of a solution in Java. Standard input has its arguments as a list in JSON, and this program writes what
// the method returns as JSON. The types of the parameters say what is made of the values. The JDK has no reader of JSON.
import java.io.*;
import java.lang.reflect.*;
import java.math.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

class GraderDriver {
    static final String FUNCTION = "@FUNCTION@";

    public static void main(String[] arguments) throws Exception {
        // What the solution itself prints is not a result.
        var results = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        var given = new Reader(new String(System.in.readAllBytes(), StandardCharsets.UTF_8)).whole();
        if (!(given instanceof List<?> values)) throw refuse("arguments by name are for Python alone: write a list");
        var method = method(values.size());
        method.setAccessible(true);
        var parameters = method.getGenericParameterTypes();
        var call = new Object[parameters.length];
        for (int i = 0; i < call.length; i++) {
            try {
                call[i] = as(parameters[i], values.get(i));
            } catch (ArithmeticException | ClassCastException | NumberFormatException error) {
                var words = values.get(i) == null ? "null" : written(values.get(i));
                throw refuse("argument " + (i + 1) + " is no `" + parameters[i].getTypeName() + "`: " + words);
            }
        }
        Object result;
        try {
            Object solution = null;
            if (!Modifier.isStatic(method.getModifiers())) {
                var made = method.getDeclaringClass().getDeclaredConstructor();
                made.setAccessible(true);
                solution = made.newInstance();
            }
            result = method.invoke(solution, call);
        } catch (InvocationTargetException error) {
            error.getCause().printStackTrace();
            System.exit(1);
            return;
        }
        results.write((written(result) + "\n").getBytes(StandardCharsets.UTF_8));
        results.flush();
        System.err.flush();
        // Threads of the solution need not end.
        Runtime.getRuntime().halt(0);
    }

    static RuntimeException refuse(String words) {
        System.err.println(words);
        Runtime.getRuntime().halt(1);
        return new IllegalStateException();
    }

    /** The method of the class Solution, or of another one. */
    static Method method(int count) throws Exception {
        var top = new File(GraderDriver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        var names = new ArrayList<String>();
        find(top, "", names);
        names.removeIf(name -> name.startsWith("GraderDriver"));
        names.sort(Comparator.comparing((String name) -> !name.equals("Solution")).thenComparing(name -> name));
        Method other = null;
        for (var name : names) {
            for (var method : Class.forName(name, false, GraderDriver.class.getClassLoader()).getDeclaredMethods()) {
                if (!method.getName().equals(FUNCTION) || method.isSynthetic() || Modifier.isAbstract(method.getModifiers())) continue;
                if (method.getParameterCount() == count) return method;
                other = method;
            }
        }
        if (other == null) throw refuse("there is no method `" + FUNCTION + "` in any class");
        throw refuse("`" + FUNCTION + "` takes " + other.getParameterCount() + " arguments, and the test has " + count);
    }

    static void find(File folder, String inside, List<String> names) {
        for (var file : Objects.requireNonNullElse(folder.listFiles(), new File[0])) {
            if (file.isDirectory()) find(file, inside + file.getName() + ".", names);
            else if (file.getName().endsWith(".class")) names.add(inside + file.getName().substring(0, file.getName().length() - 6));
        }
    }

    /** The value as a type. Throws if the type cannot hold it. */
    static Object as(Type type, Object value) {
        if (type instanceof ParameterizedType of) return asGeneric((Class<?>) of.getRawType(), of.getActualTypeArguments(), value);
        if (type instanceof WildcardType any) return as(any.getUpperBounds()[0], value);
        if (type instanceof TypeVariable<?> any) return as(any.getBounds()[0], value);
        if (type instanceof GenericArrayType array) return asArray(raw(array.getGenericComponentType()), array.getGenericComponentType(), value);
        var kind = (Class<?>) type;
        if (kind.isArray()) return asArray(kind.getComponentType(), kind.getComponentType(), value);
        if (value == null) {
            if (kind.isPrimitive()) throw new ClassCastException();
            return null;
        }
        if (kind == Object.class) return plain(value);
        if (kind == char.class || kind == Character.class) {
            if (((String) value).length() != 1) throw new ClassCastException();
            return ((String) value).charAt(0);
        }
        if (kind == boolean.class || kind == Boolean.class) return (Boolean) value;
        if (kind == String.class || kind == CharSequence.class) return (String) value;
        if (Collection.class.isAssignableFrom(kind) || Map.class.isAssignableFrom(kind)) return asGeneric(kind, null, value);
        var number = (BigDecimal) value;
        if (kind == double.class || kind == Double.class) return number.doubleValue();
        if (kind == float.class || kind == Float.class) return number.floatValue();
        if (kind == BigDecimal.class) return number;
        var integer = number.toBigIntegerExact();
        if (kind == int.class || kind == Integer.class) return integer.intValueExact();
        if (kind == long.class || kind == Long.class) return integer.longValueExact();
        if (kind == short.class || kind == Short.class) return integer.shortValueExact();
        if (kind == byte.class || kind == Byte.class) return integer.byteValueExact();
        if (kind == BigInteger.class || kind == Number.class) return integer;
        throw new ClassCastException();
    }

    static Class<?> raw(Type type) {
        if (type instanceof ParameterizedType of) return (Class<?>) of.getRawType();
        if (type instanceof GenericArrayType array) return raw(array.getGenericComponentType()).arrayType();
        return type instanceof Class<?> kind ? kind : Object.class;
    }

    static Object asArray(Class<?> kind, Type type, Object value) {
        if (value == null) return null;
        if (kind == char.class && value instanceof String text) return text.toCharArray();
        var items = (List<?>) value;
        var array = Array.newInstance(kind, items.size());
        for (int i = 0; i < items.size(); i++) Array.set(array, i, as(type, items.get(i)));
        return array;
    }

    static Object asGeneric(Class<?> kind, Type[] of, Object value) {
        if (value == null) return null;
        if (kind == Optional.class) return Optional.of(as(of[0], value));
        if (Map.class.isAssignableFrom(kind)) {
            var map = made(kind, new LinkedHashMap<Object, Object>(), new TreeMap<Object, Object>(), new HashMap<Object, Object>());
            for (var entry : ((Map<?, ?>) value).entrySet()) {
                var key = of == null || raw(of[0]) == String.class ? entry.getKey() : as(of[0], new BigDecimal((String) entry.getKey()));
                map.put(key, as(of == null ? Object.class : of[1], entry.getValue()));
            }
            return map;
        }
        var list = made(kind, new ArrayList<Object>(), new LinkedHashSet<Object>(), new TreeSet<Object>(), new ArrayDeque<Object>(),
            new LinkedList<Object>(), new HashSet<Object>(), new PriorityQueue<Object>());
        for (var item : (List<?>) value) list.add(as(of == null ? Object.class : of[0], item));
        return list;
    }

    /** The first of these that has the type. */
    @SafeVarargs
    static <T> T made(Class<?> kind, T... known) {
        for (var one : known) if (kind.isInstance(one)) return one;
        throw new ClassCastException();
    }

    /** The usual types of values: whole numbers are of the smallest type that holds them. */
    static Object plain(Object value) {
        if (value instanceof List<?> items) return new ArrayList<>(items.stream().map(GraderDriver::plain).toList());
        if (value instanceof Map<?, ?> map) {
            var plain = new LinkedHashMap<Object, Object>();
            map.forEach((key, item) -> plain.put(key, plain(item)));
            return plain;
        }
        if (!(value instanceof BigDecimal number)) return value;
        if (number.scale() > 0) return number.doubleValue();
        var integer = number.toBigInteger();
        if (integer.bitLength() < 32) return integer.intValue();
        return integer.bitLength() < 64 ? (Object) integer.longValue() : integer;
    }

    static String written(Object value) {
        var out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    static void write(StringBuilder out, Object value) {
        if (value instanceof Optional<?> one) value = one.orElse(null);
        if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Character) {
            out.append('"');
            for (char sign : value.toString().toCharArray()) {
                if (sign == '"' || sign == '\\') out.append('\\').append(sign);
                else if (sign < 0x20 || Character.isSurrogate(sign)) out.append(String.format("\\u%04x", (int) sign));
                else out.append(sign);
            }
            out.append('"');
        } else if (value.getClass().isArray()) {
            var items = new ArrayList<Object>();
            for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
            write(out, items);
        } else if (value instanceof List<?> || value instanceof Queue<?> || value instanceof SortedSet<?>) {
            var between = "[";
            for (var item : (Iterable<?>) value) {
                out.append(between);
                write(out, item);
                between = ",";
            }
            out.append(between.equals("[") ? "[]" : "]");
        } else if (value instanceof Map<?, ?> map) {
            var between = "{";
            for (var entry : map.entrySet()) {
                out.append(between);
                write(out, String.valueOf(entry.getKey()));
                out.append(':');
                write(out, entry.getValue());
                between = ",";
            }
            out.append(between.equals("{") ? "{}" : "}");
        } else {
            throw refuse("the method returned a value of the type " + value.getClass().getName() + ", which is not a JSON value");
        }
    }

    /** Reads JSON: texts, BigDecimal, Boolean, null, lists and maps. */
    static class Reader {
        final String text;
        int at = 0;

        Reader(String text) {
            this.text = text;
        }

        Object whole() {
            try {
                var value = value();
                if (peek() == 0) return value;
            } catch (StringIndexOutOfBoundsException | NumberFormatException error) {
                // The text ends early, or has something else than a value.
            }
            throw refuse("the input is not JSON");
        }

        char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        boolean take(char sign) {
            if (peek() != sign) return false;
            at++;
            return true;
        }

        void need(char sign) {
            if (!take(sign)) throw new NumberFormatException();
        }

        Object value() {
            if (take('[')) {
                var list = new ArrayList<Object>();
                if (take(']')) return list;
                do list.add(value()); while (take(','));
                need(']');
                return list;
            }
            if (take('{')) {
                var map = new LinkedHashMap<String, Object>();
                if (take('}')) return map;
                do {
                    need('"');
                    var key = string();
                    need(':');
                    map.put(key, value());
                } while (take(','));
                need('}');
                return map;
            }
            if (take('"')) return string();
            int start = at;
            while (at < text.length() && " \t\r\n,]}".indexOf(text.charAt(at)) < 0) at++;
            var word = text.substring(start, at);
            return switch (word) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> new BigDecimal(word);
            };
        }

        String string() {
            var found = new StringBuilder();
            for (char sign; (sign = text.charAt(at++)) != '"'; ) {
                if (sign != '\\') {
                    found.append(sign);
                    continue;
                }
                sign = text.charAt(at++);
                if (sign == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    int which = "bfnrt".indexOf(sign);
                    found.append(which < 0 ? sign : "\b\f\n\r\t".charAt(which));
                }
            }
            return found.toString();
        }
    }
}
