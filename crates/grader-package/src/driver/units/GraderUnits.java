import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one unit test of a teacher in Java, in the process of the solution: GraderUnits FOLDER. */
public final class GraderUnits {
    /** Packages of which a class of the solution could take the place. */
    private static final String[] PACKAGES = {"@PACKAGES@"};

    private final String word;
    private final OutputStream report = new FileOutputStream(FileDescriptor.out);

    private GraderUnits(String word) {
        this.word = word;
    }

    public static void main(String[] args) throws Exception {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        String[] asked = line.split(" ");
        // What the solution prints goes to standard error, and it reads nothing.
        System.setIn(InputStream.nullInputStream());
        System.setOut(System.err);
        new GraderUnits(asked[0]).run(Path.of(args[0]), asked[1], asked[2]);
    }

    /** Says what came of the test, in one line, and ends the program. */
    private void end(String result, String words) {
        say(result, words);
        Runtime.getRuntime().halt(0);
    }

    private void say(String result, String words) {
        String line = words.replaceAll("\\R", " ").trim();
        line = word + " " + result + " " + line.substring(0, Math.min(line.length(), 1600)) + "\n";
        try {
            report.write(line.getBytes(StandardCharsets.UTF_8));
            report.flush();
        } catch (IOException gone) {
            Runtime.getRuntime().halt(1);
        }
    }

    private void run(Path folder, String className, String methodName) throws Exception {
        Solution loader = new Solution(folder.resolve("made"), folder.resolve("solution"));
        String replaced = loader.replaces(className);
        if (replaced != null) {
            end("failed", replaced);
        }
        Result result = new Result();
        try {
            Class<?> tests = loader.loadClass(className);
            List<Method> methods = Stream.of(tests.getDeclaredMethods()).filter(method -> method.getName().equals(methodName)).toList();
            if (methods.size() == 1) {
                LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectMethod(tests, methods.get(0)))
                    .filters(EngineFilter.includeEngines("junit-jupiter"))
                    .build();
                Launcher launcher = LauncherFactory.create();
                launcher.execute(request, result);
            }
        } catch (ClassNotFoundException | LinkageError error) {
            result.error = error;
        }
        if (result.isAborted || result.skipped != null) {
            end("fault", "the test was skipped: " + (result.skipped != null ? result.skipped : result.error));
        }
        if (result.error != null && loader.refused != null) {
            end("failed", loader.refused);
        }
        if (result.error instanceof AssertionError) {
            end("failed", place(result.error, className) + result.error.getMessage());
        }
        if (result.error != null) {
            result.error.printStackTrace();
            say("raised", words(result.error));
            Runtime.getRuntime().halt(1);
        }
        if (result.passed == 0) {
            end("failed", "the test did not run");
        }
        end("passed", "");
    }

    /** An exception with the line that threw it. */
    private static String words(Throwable error) {
        StackTraceElement[] trace = error.getStackTrace();
        for (StackTraceElement element : trace) {
            if (element.getFileName() != null && element.getModuleName() == null) {
                return error + " (" + element.getFileName() + ":" + element.getLineNumber() + ")";
            }
        }
        return error.toString();
    }

    private static String place(Throwable error, String className) {
        for (StackTraceElement element : error.getStackTrace()) {
            if (element.getClassName().equals(className)) {
                return element.getFileName() + ":" + element.getLineNumber() + ": ";
            }
        }
        return "";
    }

    /** What came of the test. */
    private static final class Result implements TestExecutionListener {
        private int passed;
        private boolean isAborted;
        private String skipped;
        private Throwable error;

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped = reason;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                passed += test.isTest() ? 1 : 0;
            } else if (error == null) {
                isAborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
                error = result.getThrowable().orElseGet(() -> new AssertionError("the test failed without a message"));
            }
        }
    }

    /** Loads the classes of the tests, and those of the solution that use only what cannot reach the report. */
    private static final class Solution extends ClassLoader {
        private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "org.junit.", "org.opentest4j.", "org.apiguardian.");
        /** Allowed packages, by the beginnings of the names of their classes. */
        private static final List<String> PACKAGES_ALLOWED = List.of(
            "java/lang/ref/", "java/lang/annotation/", "java/math/", "java/text/", "java/time/", "java/util/function/",
            "java/util/stream/", "java/util/concurrent/", "java/util/regex/", "java/util/random/");
        /** Packages of which the classes themselves are allowed, without packages below. */
        private static final List<String> CLASSES_ALLOWED = List.of("java/lang/", "java/util/");
        /** Classes that are not, although their package is: with the classes inside them. */
        private static final Set<String> REFUSED = Set.of(
            "java/lang/ClassLoader", "java/lang/ClassValue", "java/lang/Compiler", "java/lang/Module", "java/lang/ModuleLayer",
            "java/lang/Package", "java/lang/Process", "java/lang/ProcessBuilder", "java/lang/ProcessHandle", "java/lang/SecurityManager",
            "java/lang/StackWalker", "java/lang/ThreadGroup", "java/util/ServiceLoader", "java/util/ResourceBundle",
            "java/util/ListResourceBundle", "java/util/PropertyResourceBundle",
            "java/util/concurrent/atomic/AtomicIntegerFieldUpdater", "java/util/concurrent/atomic/AtomicLongFieldUpdater",
            "java/util/concurrent/atomic/AtomicReferenceFieldUpdater");
        /** Single classes that are allowed. */
        private static final Set<String> ALLOWED = Set.of(
            "java/io/BufferedInputStream", "java/io/BufferedOutputStream", "java/io/BufferedReader", "java/io/BufferedWriter",
            "java/io/ByteArrayInputStream", "java/io/ByteArrayOutputStream", "java/io/CharArrayReader", "java/io/CharArrayWriter",
            "java/io/Closeable", "java/io/DataInputStream", "java/io/DataOutputStream", "java/io/EOFException",
            "java/io/FileNotFoundException", "java/io/Flushable", "java/io/IOException", "java/io/InputStream",
            "java/io/InputStreamReader", "java/io/OutputStream", "java/io/OutputStreamWriter", "java/io/PrintStream",
            "java/io/PrintWriter", "java/io/Reader", "java/io/Serializable", "java/io/StreamTokenizer", "java/io/StringReader",
            "java/io/StringWriter", "java/io/UncheckedIOException", "java/io/Writer", "java/nio/charset/Charset",
            "java/nio/charset/StandardCharsets",
            // What the compiler makes of lambdas, texts, records and switches.
            "java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory", "java/lang/invoke/MethodHandles",
            "java/lang/invoke/MethodHandles$Lookup", "java/lang/runtime/ObjectMethods", "java/lang/runtime/SwitchBootstraps");
        /** The only members of these classes that are allowed. */
        private static final Map<String, Set<String>> MEMBERS = Map.of(
            "java/lang/System", Set.of("arraycopy", "currentTimeMillis", "err", "exit", "identityHashCode", "in", "lineSeparator", "nanoTime", "out"),
            "java/lang/Runtime", Set.of("availableProcessors", "freeMemory", "gc", "getRuntime", "maxMemory", "totalMemory"),
            "java/lang/Class", Set.of("cast", "desiredAssertionStatus", "equals", "getEnumConstants", "getName", "getSimpleName",
                "getSuperclass", "getTypeName", "hashCode", "isArray", "isAssignableFrom", "isInstance", "isInterface", "toString"),
            "java/lang/invoke/MethodHandles", Set.of(),
            "java/lang/invoke/MethodHandles$Lookup", Set.of());
        /** Classes whose constructors open the file with the name that is their first argument. */
        private static final Set<String> OPEN_FILES = Set.of("java/io/PrintStream", "java/io/PrintWriter", "java/util/Formatter");

        private final Path made;
        private final Path solution;
        /** Why a class of the solution was not loaded. */
        private volatile String refused;

        Solution(Path made, Path solution) {
            super(GraderUnits.class.getClassLoader());
            this.made = made;
            this.solution = solution;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                String file = name.replace('.', '/') + ".class";
                boolean isLibrary = isRunner(name) || LIBRARIES.stream().anyMatch(name::startsWith);
                boolean isTest = Files.isRegularFile(made.resolve(file));
                if (isLibrary || (!isTest && !Files.isRegularFile(solution.resolve(file)))) {
                    return super.loadClass(name, resolve);
                }
                try {
                    byte[] bytes = Files.readAllBytes((isTest ? made : solution).resolve(file));
                    String why = isTest ? null : whyRefused(name, bytes);
                    if (why != null) {
                        refused = why;
                        throw new ClassNotFoundException(why);
                    }
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException error) {
                    throw new ClassNotFoundException(name, error);
                }
            }
        }

        private static boolean isRunner(String name) {
            return name.equals("GraderUnits") || name.startsWith("GraderUnits$");
        }

        /** Whether a class of the solution takes the place of a library's in the package of the tests. */
        String replaces(String tests) throws IOException {
            Path folder = solution.resolve(tests.replace('.', '/')).getParent();
            if (!Files.isDirectory(folder)) {
                return null;
            }
            for (Path file : Files.list(folder).toList()) {
                String name = file.getFileName().toString();
                String simple = name.endsWith(".class") ? name.substring(0, name.length() - 6) : "";
                if (Set.of("java", "javax", "org", "com").contains(simple)) {
                    return "the class " + simple + " would take the place of packages in the tests: give it another name";
                }
                for (String of : PACKAGES) {
                    if (!simple.isEmpty() && getSystemResource(of.replace('.', '/') + "/" + name) != null) {
                        return "the class " + simple + " would take the place of " + of + "." + simple + " in the tests: give it another name";
                    }
                }
            }
            return null;
        }

        /** Reads what a class uses (JVM specification, 4.4), and finds what it may not. */
        private String whyRefused(String name, byte[] bytes) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            in.skipBytes(8);
            int count = in.readUnsignedShort();
            Object[] pool = new Object[count];
            int[] tags = new int[count];
            for (int at = 1; at < count; at++) {
                tags[at] = in.readUnsignedByte();
                switch (tags[at]) {
                    case 1 -> pool[at] = in.readUTF();
                    case 3, 4 -> in.skipBytes(4);
                    case 5, 6 -> {
                        in.skipBytes(8);
                        at++;
                    }
                    case 7, 8, 16, 19, 20 -> pool[at] = new int[] {in.readUnsignedShort()};
                    case 9, 10, 11, 12, 17, 18 -> pool[at] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                    case 15 -> in.skipBytes(3);
                    default -> {
                        return name + " is in a form that the runner does not know";
                    }
                }
            }
            for (int at = 1; at < count; at++) {
                String used = null;
                if (tags[at] == 7) {
                    String of = (String) pool[((int[]) pool[at])[0]];
                    used = isAllowed(of) ? null : of;
                } else if (tags[at] >= 9 && tags[at] <= 11) {
                    int[] member = (int[]) pool[at];
                    int[] signature = (int[]) pool[member[1]];
                    String of = (String) pool[((int[]) pool[member[0]])[0]];
                    String called = (String) pool[signature[0]];
                    boolean opens = called.equals("<init>") && OPEN_FILES.contains(of) && ((String) pool[signature[1]]).startsWith("(Ljava/lang/String;");
                    boolean isMember = MEMBERS.getOrDefault(of, Set.of(called)).contains(called);
                    used = opens || !isMember ? of + "." + called : null;
                }
                if (used != null) {
                    return "the class " + name + " uses " + used.replace('/', '.') + ", which the solution of unit tests cannot";
                }
            }
            return null;
        }

        private boolean isAllowed(String written) {
            String name = written.replaceFirst("^\\[+L(.*);$", "$1");
            if (name.startsWith("[") || ALLOWED.contains(name)) {
                return true;
            }
            if (isRunner(name) || REFUSED.stream().anyMatch(one -> name.equals(one) || name.startsWith(one + "$"))) {
                return false;
            }
            if (Files.isRegularFile(made.resolve(name + ".class"))) {
                return false;
            }
            boolean isOwn = Files.isRegularFile(solution.resolve(name + ".class"));
            boolean isClass = CLASSES_ALLOWED.stream().anyMatch(of -> name.startsWith(of) && name.indexOf('/', of.length()) < 0);
            return isOwn || isClass || PACKAGES_ALLOWED.stream().anyMatch(name::startsWith);
        }
    }
}
