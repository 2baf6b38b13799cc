// size FULL HALF: all points up to FULL bytes of sources, half of them up to HALF, rejected beyond.
// without WORD: no source has the word.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

int main(int argc, char** argv) {
    if (argc < 6) return 1;
    const std::string feedback = argv[3], task = argv[4];
    if (!fs::is_directory(feedback) || feedback.back() != '/') return 1;
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(".")) {
        const std::string ending = entry.path().extension();
        if (ending != ".py" && ending != ".cpp" && ending != ".rs") continue;
        std::ifstream file(entry.path());
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    if (text.empty()) return 1;
    if (task == "without") {
        if (text.find(argv[5]) == std::string::npos) return 42;
        std::ofstream(feedback + "judgemessage.txt") << "it has the word " << argv[5] << '\n';
        return 43;
    }
    if (task != "size" || argc != 7) return 1;
    const auto size = text.size();
    std::ofstream(feedback + "judgemessage.txt") << size << " bytes\n";
    if (size > std::stoul(argv[6])) return 43;
    if (size > std::stoul(argv[5])) std::ofstream(feedback + "score_multiplier.txt") << 0.5 << '\n';
    return 42;
}
