//! Builds a program with its project: turns the row of the table into a recipe.

use std::path::{Path, PathBuf};

use crate::language::{Commands, Language};
use crate::sandbox::Sandbox;

use super::super::author::Desk;
use super::super::sources::Sources;
use super::super::toolbox::package_manager;
use super::super::{Build, BuildOrder, Compiler, Recipe};
use super::table::{Builder, How, PROGRAM, Variable};
use super::{Project, files};

impl Builder {
    /// The message of the tool if a dependency is missing on this machine. That is not the fault of the program.
    fn lacks<'b>(&self, build: &'b Build) -> Option<&'b str> {
        let Build::CompileError(words) = build else { return None };
        self.absent.iter().any(|absent| words.contains(absent)).then_some(words.trim_end())
    }
}

impl Compiler<'_> {
    /// Builds a program as its project says.
    pub(in crate::compile) fn in_project(
        &self,
        (project, desk): (&Project, &Desk),
        order: &BuildOrder<'_>,
        language: &Language,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        if let How::Interprets = project.tool.how {
            return self.in_environment(&project.marker, order, language, sources, sandbox);
        }
        let all = match files::of_project(project) {
            Ok(all) => Sources::below(&project.root, all),
            Err(error) => return Build::NotJudged(error.to_string()),
        };
        let own = Sources::below(&project.root, project.own.clone());
        let entry = project.entry.to_string_lossy();
        let order = BuildOrder { entry_point: Some(&entry), ..*order };
        let recipe = self.recipe(&order, language, None, &own, sandbox);
        let recipe = recipe.and_then(|recipe| match &project.tool.how {
            How::Builds(builder) => self.built_by(project, builder, desk, language, recipe, sandbox),
            How::StaysInPlace | How::Interprets => Ok(in_place(project, recipe)),
        });
        let recipe = match recipe {
            Ok(recipe) => recipe,
            Err(build) => return build,
        };
        let built = self.make(&recipe, &all, sandbox);
        let How::Builds(builder) = &project.tool.how else { return built };
        if builder.lacks(&built).is_none() {
            return built;
        }
        // The user may have fetched it since the store learnt of the failure.
        let built = Compiler { fresh: true, limits: self.limits, testlib: self.testlib.clone(), ..*self }
            .make(&recipe, &all, sandbox);
        let lacking = builder.lacks(&built).map(|words| {
            format!(
                "a dependency is not in your cache: run `{}` beside {}\n{words}",
                builder.fetch,
                project.marker.display()
            )
        });
        lacking.map_or(built, Build::NotJudged)
    }

    /// Builds a program for the interpreter of an environment, whose file is `marker`.
    fn in_environment(
        &self,
        marker: &Path,
        order: &BuildOrder<'_>,
        language: &Language,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        let python = marker.with_file_name("bin").join(&language.id).to_string_lossy().into_owned();
        let row = with_interpreter(language, &python);
        let Some(tool) = self.tools.find(&python, sandbox, self.store) else {
            let dir = marker.parent().unwrap_or(marker).display();
            return Build::NotJudged(format!("{python} does not work; make the environment {dir} again"));
        };
        match self.recipe(order, &row, None, sources, sandbox) {
            Ok(mut recipe) => {
                recipe.tools.add(tool);
                self.make(&recipe, sources, sandbox)
            }
            Err(build) => build,
        }
    }

    /// Changes the recipe of a language into that of a build tool.
    fn built_by<'a>(
        &self,
        project: &Project,
        builder: &'static Builder,
        desk: &Desk,
        language: &Language,
        mut recipe: Recipe<'a>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Recipe<'a>, Build> {
        let mut steps = project.steps(builder, language);
        // The first step that is not a script is that of the tool.
        if let Some(wrapped) = project.wrapped(builder, desk)
            && let Some(tool) = steps.iter_mut().find_map(|step| step.first_mut().filter(|word| !word.contains('/')))
        {
            *tool = wrapped;
        }
        for name in steps.iter().filter_map(|step| step.first()).filter(|name| !name.starts_with("/bin/")) {
            let Some(tool) = self.tools.find(name, sandbox, self.store) else {
                let marker = project.marker.display();
                let install = builder.install.unwrap_or(&language.install).advice(package_manager());
                return Err(Build::NotJudged(format!("{name} is not installed, and {marker} needs it: {install}")));
            };
            recipe.tools.add(tool);
        }
        recipe.tools.loopback = builder.loopback;
        if builder.loopback && sandbox.isolation().has_landlock() {
            return Err(Build::NotJudged(format!(
                "the tool of {} talks to itself through a network, which the layer {layer} forbids: leave out --isolation {layer}",
                project.marker.display(),
                layer = sandbox.isolation().name()
            )));
        }
        let is_set = |variable: &&Variable| !variable.unless.iter().any(|file| project.root.join(file).exists());
        let variables = builder.env.iter().filter(is_set);
        let mut own: Vec<(String, String)> =
            variables.map(|variable| (variable.name.to_owned(), variable.value.to_owned())).collect();
        for cache in builder.caches {
            if let Some(dir) = cache.dir(desk) {
                recipe.tools.shown.extend(cache.shown(&dir));
                let (variable, part) = cache.told;
                let dir = if part.is_empty() { dir } else { dir.join(part) };
                own.push((variable.to_owned(), dir.to_string_lossy().into_owned()));
            }
        }
        let inside = Some(project.dir()).filter(|inside| builder.is_called_inside && inside != ".");
        let of_language = recipe.commands;
        recipe.companions = Vec::new();
        recipe.commands = Box::new(move |dir: &Path| {
            let commands = of_language(dir)?;
            let called = |step: &Vec<String>| {
                inside.as_ref().map_or_else(|| step.clone(), |inside| called_in(step, inside, dir))
            };
            let program = dir.join(PROGRAM);
            let options = commands
                .run
                .iter()
                .filter(|word| word.starts_with("-X") || word.starts_with("-D"))
                .cloned()
                .collect::<Vec<_>>();
            let options = (!options.is_empty()).then(|| ("JAVA_OPTS".to_owned(), options.join(" ")));
            let env = commands
                .env
                .iter()
                .filter(|(name, _)| !own.iter().any(|(own, _)| own == name))
                .chain(&own)
                .cloned()
                .chain(options);
            Ok(Commands {
                rename: Vec::new(),
                compile: steps.iter().map(called).collect(),
                run: vec![program.to_string_lossy().into_owned()],
                env: env.collect(),
                binary: Some(program),
                ..commands
            })
        });
        Ok(recipe)
    }
}

/// A step that is called in a directory below that of the build, `dir`, to which its paths are relative.
fn called_in(step: &[String], inside: &str, dir: &Path) -> Vec<String> {
    let is_path = |word: &str| word == PROGRAM || word.starts_with("./");
    let absolute =
        |word: &String| if is_path(word) { dir.join(word).to_string_lossy().into_owned() } else { word.clone() };
    let shell = ["/bin/sh", "-c", r#"cd "$0" && exec "$@""#, inside].map(str::to_owned);
    shell.into_iter().chain(step.iter().map(absolute)).collect()
}

/// Changes a recipe so that the program starts in its own directory, which it then sees.
fn in_place<'a>(project: &Project, mut recipe: Recipe<'a>) -> Recipe<'a> {
    recipe.tools.shown.push(project.root.clone());
    recipe.companions = Vec::new();
    let (of_language, root): (_, PathBuf) = (recipe.commands, project.root.clone());
    recipe.commands = Box::new(move |dir: &Path| Ok(Commands { run: of_language(&root)?.run, ..of_language(dir)? }));
    recipe
}

/// The language with another interpreter.
fn with_interpreter(language: &Language, python: &str) -> Language {
    // Braces are variables in a command.
    let python = python.replace('{', "{{").replace('}', "}}");
    let mut row = language.clone();
    let commands = row.compile.iter_mut().chain([&mut row.run, &mut row.version]);
    for word in commands.filter_map(|command| command.first_mut()).filter(|word| **word == language.id) {
        word.clone_from(&python);
    }
    row
}
