// DavidNHill/Minesweeper as a Botzone bot that keeps running: a request or a history a line on
// standard input, an answer and the keep-running marker on standard output.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import minesweeper.gamestate.GameStateModel;
import minesweeper.settings.GameSettings;
import minesweeper.solver.Solver;
import minesweeper.solver.settings.PlayStyle;
import minesweeper.solver.settings.SettingsFactory;
import minesweeper.structure.Action;
import minesweeper.structure.Location;

public class BotzoneBot {
    /** What the requests have shown; the solver reads it and plays nothing on it. */
    static final class Shown extends GameStateModel {
        final int[][] numbers;

        Shown(int width, int height, int mines) {
            super(GameSettings.create(width, height, mines));
            numbers = new int[width][height];
            start(new Location(0, 0));
        }

        void open(int x, int y, int number) { numbers[x][y] = number; setRevealed(x, y); }
        void hit(int x, int y) { setFlag(x, y); }

        @Override protected void placeFlagHandle(Location m) { }
        @Override protected boolean clearSquareHitMine(Location m) { return false; }
        @Override protected boolean clearSurroundHandle(Location m) { return false; }
        @Override protected void startHandle(Location m) { }
        @Override protected int queryHandle(int x, int y) { return numbers[x][y]; }
        @Override public boolean supports3BV() { return false; }
        @Override public String showGameKey() { return ""; }
    }

    static final Pattern REQUEST = Pattern.compile("\"height\"\\s*:\\s*\"?(\\d+)"
        + "|\"width\"\\s*:\\s*\"?(\\d+)|\"minecount\"\\s*:\\s*\"?(\\d+)");
    static final Pattern CELL = Pattern.compile("\\{[^{}]*\\}");
    static final Pattern KEY = Pattern.compile("\"(row|col|val)\"\\s*:\\s*(\\d+)");

    Shown shown;
    Solver solver;
    final ArrayDeque<Location> certain = new ArrayDeque<>();

    static int number(String text, int group) {
        Matcher m = REQUEST.matcher(text);
        while (m.find()) if (m.group(group) != null) return Integer.parseInt(m.group(group));
        return -1;
    }

    void take(String line) throws Exception {
        if (line.contains("\"requests\"")) {
            int responses = line.indexOf("\"responses\"");
            if (responses > line.indexOf("\"requests\"")) line = line.substring(0, responses);
            shown = null;
        }
        if (shown == null) {
            shown = new Shown(number(line, 2), number(line, 1), number(line, 3));
            var settings = SettingsFactory.GetSettings(SettingsFactory.Setting.SMALL_ANALYSIS);
            solver = new Solver(shown, settings, false);
            solver.setPlayStyle(PlayStyle.NO_FLAG);
            certain.clear();
        }
        for (Matcher cells = CELL.matcher(line); cells.find();) {
            int row = -1, col = -1, val = -1;
            for (Matcher keys = KEY.matcher(cells.group()); keys.find();) {
                int value = Integer.parseInt(keys.group(2));
                switch (keys.group(1)) {
                    case "row": row = value; break;
                    case "col": col = value; break;
                    default: val = value;
                }
            }
            if (row < 0 || col < 0 || val < 0) continue;
            if (val == 9) {
                // A mine that was hit is one that the solver knows. It has no way to be told.
                shown.hit(col, row);
                Field field = Solver.class.getDeclaredField("boardState");
                field.setAccessible(true);
                Object board = field.get(solver);
                Method found = board.getClass().getDeclaredMethod("setMineFound", Location.class);
                found.setAccessible(true);
                found.invoke(board, new Location(col, row));
            } else {
                shown.open(col, row, val);
            }
        }
    }

    Location decide() throws Exception {
        while (!certain.isEmpty()) {
            Location cell = certain.poll();
            if (shown.query(cell) == GameStateModel.HIDDEN) return cell;
        }
        solver.start();
        Location guess = null;
        for (Action action : solver.getResult()) {
            boolean clears = action.getAction() == Action.CLEAR;
            if (!clears || shown.query(action) != GameStateModel.HIDDEN) continue;
            if (action.isCertainty()) certain.add(new Location(action.x, action.y));
            else if (guess == null) guess = new Location(action.x, action.y);
        }
        if (!certain.isEmpty()) return certain.poll();
        if (guess != null) return guess;
        for (int y = 0; y < shown.getHeight(); y++)
            for (int x = 0; x < shown.getWidth(); x++) {
                Location cell = new Location(x, y);
                if (shown.query(cell) == GameStateModel.HIDDEN) return cell;
            }
        return new Location(0, 0);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BotzoneBot bot = new BotzoneBot();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            if (line.isBlank()) continue;
            bot.take(line);
            Location cell = bot.decide();
            out.println("{\"response\":{\"row\":" + cell.y + ",\"col\":" + cell.x + "}}");
            out.println(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<");
            out.flush();
        }
    }
}
