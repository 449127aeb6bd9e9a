//! Words that the program prints, for `explain`.

mod causes;

/// A word with its printed names and its meaning.
pub struct Word {
    /// Names: rows of the summary, heads of tables, columns of files; without units, in lower case.
    pub names: &'static [&'static str],
    /// Quantity, formula, unit, and a page of the documents.
    pub about: &'static str,
}

const fn word(names: &'static [&'static str], about: &'static str) -> Word {
    Word { names, about }
}

/// All words.
pub fn all() -> impl Iterator<Item = &'static Word> {
    causes::WORDS.iter().chain(WORDS)
}

const WORDS: &[Word] = &[
    word(
        &["drift", "drift of", "drift_"],
        "Mean speed of a body's contacts along what they touch [m/s], from displacement, |Σ N Δx|/(Σ N Δt), over the window that the line names: the last quarter of the run, or from time.drift_from on. Its parts: the law's creep, stretch of contacts, sliding, the lag's, the integrator's. Of a verified run the integrator's is what falls with the step; of one run alone the parts are an estimate. See docs/creep.md.",
    ),
    word(
        &["creep", "creep m/s"],
        "Motion under a load that friction should hold [m/s]. A law with a threshold ε creeps by itself, at ε ρ for `threshold`, ρ = T/(μ_s N); laws with a stretch (cundall-strack, dahl, lugre) and the methods exact and impulse do not. What exceeds the law's creep is the integrator's. As a kind of measure: displacement of a centre of mass since the frame before, by time. See docs/creep.md.",
    ),
    word(
        &["law", "law m/s", "law_creep", "creep_law"],
        "Creep of the friction law alone [m/s], in closed form from the friction that was needed. In a table of `compare` the friction law of the row, or its creep. See docs/laws.md.",
    ),
    word(
        &["parts of", "parts", "creep_stretch", "creep_sliding", "stretch of contacts"],
        "The parts of a drift [m/s], drift = law + stretch + sliding + lag + integrator. Stretch is the elastic displacement T/k of contacts under a law with a spring, which they give back; sliding is slip under a load that friction does not bear. See docs/creep.md.",
    ),
    word(
        &["steps of"],
        "The drift of a body at the step of the run and at those of the verifying runs [m/s]: 2h, and 4h, where these agree with it, else h/2 and h/4. What falls with the step is the integrator's.",
    ),
    word(
        &["friction of"],
        "Energy that friction has dissipated on a body since t = 0 [J]; half of it on each side of a contact between bodies.",
    ),
    word(
        &["pressing", "rubbing", "resultants"],
        "Σ N and Σ |T| over the contacts of a body with one thing that it touches [N]. The resultants are the sizes of the vector sums, where these differ: the forces of two pads that press against each other cancel.",
    ),
    word(
        &["creep_integrator"],
        "The integrator's part of a drift [m/s]: what falls with the step in a verified run, by balances of the run itself otherwise. A smaller step or another integrator takes it away.",
    ),
    word(
        &["details"],
        "`run --details` adds to the summary: drift, parts and load of each body, its contacts by what it touches, largest penetration and h λ, solves that were repeated or simplified, events, and the energy audit.",
    ),
    word(
        &["lag", "creep_lag"],
        "A quantity that friction takes from the start of the step instead of the trial point: the normal force N, the contact normal, or both. Key `lag` of implicit methods; semi-implicit engines lag by default. Its part of the drift is creep_lag [m/s]. See docs/physics.md.",
    ),
    word(
        &["load", "load of", "load_angle"],
        "Gravity, pushes, springs to other bodies and the pull of its own pinned particles on a body at the end [N], the friction that bears some of it, |F| [N] with the sum F of the friction forces on the body, and |F| over the load: at rest on a slope of angle a sin a, .342 at 20°, in a grasp 1. Where all its contacts have one normal, the angle of their force to it, tan = |F|/Σ N: at rest on a slope the slope's. `carried_by_friction` of run.json is −F·W/|W|², the part of the load W along which friction acts: sin²a on a slope. More than 1, or less than 0, is a sign of chatter, or of bodies that are crushed.",
    ),
    word(
        &["load ratio", "ρ", "rho", "load_ratio", "bears"],
        "ρ = T/(μ_s N): tangential load over the most that static friction can hold. Below 1 a contact sticks; a law with a threshold creeps faster the nearer ρ is to 1.",
    ),
    word(
        &["epsilon", "ε", "ε m/s"],
        "Threshold slip speed ε [m/s] of a regularised friction law: below it a contact sticks, by creeping at ε f⁻¹(ρ). A smaller ε creeps less and needs a smaller step, since λ = μ_s N/(m ε). Set by --set contact.friction.epsilon=1e-4.",
    ),
    word(
        &[
            "max h λ",
            "h λ",
            "hlambda",
            "max_hlambda",
            "h lambda",
            "friction rate",
            "friction rate λ",
            "λ",
        ],
        "Step h times the largest friction rate λ = μ_s N/(m ε) of any particle, the rate at which friction in stick damps it. An explicit method has a limit for it: 2 for Euler, 2.785 for rk4 (`stiction list integrators`). Beyond it friction does not explode: it chatters, walks or settles on a wrong speed. Remedy: a smaller step, an implicit or adaptive method, or a law with a stretch.",
    ),
    word(
        &["max penetration", "penetration m", "max_penetration"],
        "Largest depth of a contact during the run [m]. Penalty contact needs N/k; a larger contact.normal.stiffness makes it smaller and the step too.",
    ),
    word(
        &["contacts of", "load ratio", "load_ratio"],
        "Contacts of a body with one thing that it touches, in the last state: Σ N pressing and Σ |F| rubbing [N]; the largest load ratio |F|/(μ_s N) of a contact, 1 on the friction cone. `run --contacts` keeps them for every particle and frame. See docs/results.md.",
    ),
    word(
        &["contacts", "sticking", "sliding", "sticks", "slips", "chatters", "stick and slip"],
        "Contacts of the last state with N > 0: sticking are those inside the threshold or the cone, sliding the others. `of the last state alone` names a symptom of the body's friction in this run that has no effect on any measure: what its contacts do at one state may then be chance.",
    ),
    word(
        &[
            "energy residual",
            "energy_residual",
            "residual",
            "energy error",
            "energy_error",
            "throughput",
        ],
        "Energy that the method created, or lost where it is negative [J]: E(t) − E(0) − work + dissipated, channel by channel. The ± is the doubt of the audit itself, from the rule that integrates powers. Throughput is the largest kinetic energy + dissipated + work, with which it is compared; the verdict objects above 5 %.",
    ),
    word(
        &["events inside steps", "events", "events in steps"],
        "Contacts that began, ended, or changed between stick and slip within a step. A method of higher order is of order 1 or 2 across each; `rk45` locates them.",
    ),
    word(
        &["repeated"],
        "Steps that an implicit method took again with half the step, since Newton's method had not converged. They cost time, not accuracy.",
    ),
    word(
        &["eased contact", "eased_contact"],
        "Substeps of an implicit method, after Newton's iteration had failed, in which the normal force is at most 100 times its elastic part + 10 c d/h. Damping lets N jump from 0 to c d' at the moment of touch, and across the jump the equations of a step may have no solution. --verify bounds the error.",
    ),
    word(
        &["frozen contact", "frozen_contact"],
        "Substeps of an implicit method that took the normal force and the normals of contacts from the start of the step, after Newton's iteration had failed at an eighth of the step: across the jump of a force, as where a segment slides over the end of another, the equations of a step may have no solution. The error is of order h in those substeps; --verify bounds it.",
    ),
    word(
        &["observed order"],
        "Order p of the method as seen in the run, from steps of h and h/2 at every frame: log2 of the ratio of their differences (run --observe-order).",
    ),
    word(
        &["expectation", "expected", "measured", "met", "not met", "in doubt"],
        "A value of [expect] with its tolerance, and the value measured. *In doubt*: the error bar of the measure reaches across the tolerance. `check --run` ends with exit code 11 unless all are met.",
    ),
    word(
        &["error", "error m"],
        "RMS distance of the particles from the reference at the end [m]: the exact solution where there is one, else a run that says how far it can be trusted.",
    ),
    word(
        &["error bar", "±", "error_"],
        "Bound of the error of a measure, from runs at larger steps, at half the step and a quarter, and by another method (--verify), by Richardson's extrapolation with order 1, of three runs at smaller steps the observed order, and a factor of safety. See docs/verdict.md.",
    ),
    word(
        &["accuracy", "--accuracy", "delivered", "of what was asked"],
        "Accuracy asked of a run, option --accuracy: the program makes the step smaller until every error bar is within it, a share of the scale of each measure or a size in its unit. *Delivered*: the last run is trusted and all its bars are within what was asked. *Not delivered*: the sentence says why, and what was reached. See docs/accuracy.md.",
    ),
    word(
        &["verify", "--verify", "verified", "verification", "refined", "refined run"],
        "Verification of a run, option --verify: the scene runs again at twice the step, at four times where contacts begin inside steps, at other ratios up to four where these have a fault or miss frames, at half and a quarter where larger steps do not settle the matter, or by another method. Those at smaller steps are the refined runs. Each measure gets an error bar, and the verdict a level. Files of a results folder are compared with their checksums by `stiction inspect DIR`. See docs/verdict.md.",
    ),
    word(
        &["audit", "energy audit", "energy_audit"],
        "Energy audit of a run: energies, dissipated energy and work of every step are summed channel by channel, and the residual is what does not add up. It judges the method, not the model. See `energy residual`.",
    ),
    word(
        &["verdict", "trusted", "trusted to", "trust", "not trusted", "no fault found", "draft"],
        "Judgement on a run: *not trusted* with reasons in numbers, *no fault found* (all watches silent, which is no proof), *draft*, the same of a single run that is to be right to about 1 % (`--draft`), or *trusted to X %* where verified runs agree. `stiction explain REASON` explains each reason. See docs/verdict.md.",
    ),
    word(
        &["advice", "try"],
        "The change to try next after a run that is not trusted: a smaller step, smaller tolerances with it, or a method of higher order, and how many times the work it takes; in run.json under trust.advice. It comes from the steps that the reasons name, and from error bars and the orders at which these fall, so that it is an estimate: verify the next run, too. There is none where no step helps.",
    ),
    word(
        &["evaluations", "force evaluations"],
        "How often all forces were evaluated: the work of a run that no machine changes.",
    ),
    word(
        &["steps", "step", "step s"],
        "Accepted steps, and the time step h [s], which is also the interval at which memory is committed. Adaptive methods take substeps inside it.",
    ),
    word(
        &["status"],
        "End of a run: completed, failed (with the reason), or interrupted by a signal.",
    ),
    word(
        &["cpu time", "cpu s", "cpu s/s", "cpu_seconds"],
        "CPU seconds of the process; per second of the scene (CPU s/s).",
    ),
    word(
        &["contact"],
        "Way of contact: `penalty` forces, `impulse` micro-collisions, `exact` set-valued Coulomb friction, or `multiplier` constraints. As a column of measures.csv: energy stored in contacts [J].",
    ),
    word(
        &["integrator", "method"],
        "Integration method of a row. `stiction list integrators` lists them with order and limits.",
    ),
    word(&["solver", "linear_solver"], "Solver of the linear systems of an implicit method."),
    word(&["order"], "Order p of a method: its error falls as hᵖ where forces are smooth."),
    word(
        &["largest stable step", "limit", "limit s", "stable step"],
        "Largest step at which no mode of the linearised motion grows under a method [s]. See docs/physics.md.",
    ),
    word(
        &["h/limit", "limited by"],
        "The scene's step over the largest stable one, too large above 1, and the spring, elastic element or contact that sets the limit. Ringing: a method that is stable at any step, whose reported velocities alternate above the one that is named.",
    ),
    word(
        &["largest", "at the start", "settled", "where"],
        "Largest rates at t = 0, and after the scene has come to rest under its loads, with the particle that has the largest.",
    ),
    word(
        &["normal contact ω", "springs ω", "elastic ω", "friction stretch ω", "ω"],
        "Largest undamped angular frequency √(k/m) of a particle on its contact, its springs and elastic elements (elastic ω where there are such) or the stretch of its friction [rad/s]; an explicit method needs h ω below its limit on the imaginary axis.",
    ),
    word(
        &["normal contact c/m", "springs c/m", "elastic c/m"],
        "Largest damping rate of a particle by its contact, or by its springs and elastic elements [1/s].",
    ),
    word(
        &["spectral radius", "spectral radius |μ|"],
        "Largest magnitude of an eigenvalue of the linearised motion [1/s].",
    ),
    word(
        &[
            "at the end",
            "touches nothing",
            "touches only itself",
            "slides on itself",
            "sticks",
            "slides",
            "upright",
            "turned by",
            "turning at",
            "in part",
            "tipped",
            "tilted",
            "turned",
            "turning",
        ],
        "Fate of a body: of its contacts with others in the last state all stick, none does (it slides), or some do (in part); it slides on itself if one of its contacts with itself does not stick. Its tilt is the angle of its own z axis from the start, by its rotation: upright below 0.05°, tipped above 10°; where nothing has weight, or the scene placed it with a `rotation`, it has turned since t = 0. A ring, disc or sphere has no side to stand on: its rate of turn is given [rad/s], from its angular momentum.",
    ),
    word(
        &["faults that passed"],
        "Faults that stood at a frame and do not stand at the end, each with the last such frame: they are judged against what the run has done so far, as energy lost is against the energy that went through it. The strip `trust` of a film is red there.",
    ),
    word(&["momentum_x", "momentum_y", "momentum_z"], "Total momentum Σ m v [kg m/s]."),
    word(
        &["kinetic", "spring", "elastic", "gravity"],
        "Energies [J]: ½ Σ m v²; stored in springs (with their muscles), called elastic where elements are counted with them; −Σ m g·x.",
    ),
    word(
        &[
            "dissipated_spring",
            "dissipated_elastic",
            "dissipated_normal",
            "dissipated_friction_stick",
            "dissipated_friction_slip",
            "dissipated_drag",
        ],
        "Energy dissipated since t = 0 [J], positive when it left: by the damping of springs (with that of elastic bodies: elastic), normal damping, friction in stick, friction in slip, drag.",
    ),
    word(&["work"], "Energy put in since t = 0 by pushes, pins, muscles and moving colliders [J]."),
    word(&["time"], "Time t [s]: step count × step."),
    word(
        &["case", "figure", "reference", "tolerance", "who"],
        "Columns of `validate`: a case with a known answer, the quantity compared, its exact value, the largest deviation allowed, and the method, law or step that was tried.",
    ),
    word(&["n", "normal force"], "N, the force of a contact along its normal [N]."),
    word(&["strain"], "Elongation of a spring over its rest length, (l − l0)/l0."),
    word(
        &["centre of mass", "its centre of mass moved"],
        "Σ m x/Σ m of a body's particles; moved is its distance from the start [m].",
    ),
    word(
        &["law's", "integrator's", "lag's"],
        "The parts of a drift: the creep that the friction law has by itself under the load, what the integrator adds at this step, and what quantities of the step's start add. See docs/creep.md.",
    ),
    word(
        &["the runs part", "runs part"],
        "The first frame at which a verified run and the first run that it is compared with differ by more than the error bar allows: from there on the outcome hangs on the step.",
    ),
    word(
        &["island"],
        "The particles that springs, elastic elements, rigid bodies and contact between bodies join. The energy audit closes for every island by itself.",
    ),
    word(
        &["audit residual"],
        "Energy now, less that at the start, less the work put in, plus what was dissipated [J]: the integrator's own gain or loss.",
    ),
    word(
        &["rolling", "rolling resistance"],
        "A ring, disc or sphere of particles touches with a few of them at a time. Under penalty contact each particle that comes down loses energy to the damping of the normal law, which slows rolling: smaller `damping`, more particles or `rigid = true` with contact by `exact` lessen it.",
    ),
    word(
        &["maximum", "minimum", "max", "min"],
        "Extreme of a measure over all steps of a run, and between these by the parabola through three of them where the measure is smooth: an expectation with `at = \"max\"` or `at = \"min\"` is compared with it. What lies between steps is a part of its error bar. Of a swing or a period, and of what is measured from frame to frame, over the frames.",
    ),
    word(
        &["as written", "changed"],
        "The expectations of a scene are for the scene as it is written: where `--set` changed a key that matters, an expectation that is not met says nothing.",
    ),
    word(
        &["passed over"],
        "In `tune`: a cheaper combination that held in its own run, but not when it was verified; the reason follows.",
    ),
    word(
        &["lost to damping", "work done on it"],
        "Energies since t = 0 [J]: what damping of springs, elastic bodies and contacts took, and what pushes, motions and muscles put in. See `energy audit`.",
    ),
    word(
        &["no limit"],
        "No step is unstable here, by the method or since nothing in the scene is stiff: the error alone decides about the step.",
    ),
    word(
        &["not drawn", "not above 0"],
        "Values that a figure leaves out, counted: a value that does not exist, or one that a logarithmic axis has no place for.",
    ),
    word(&["budget"], "Creep, penetration or energy error that `tune` must not exceed."),
    word(&["fibre", "muscle"], "A spring whose rest length follows time ([[muscle]]): l0 s(t)."),
    word(
        &["exit code", "exit codes", "exit"],
        "0 ok, 1 internal error, 2 usage, 3 scene invalid, 4 a mesh, a log or other input invalid, 5 output failed, 6 simulation failed, 7 results or checkpoint unusable, 8 refused (would overwrite), 9 over a limit, 10 runs of a sweep failed, 11 an expectation, a baseline or a budget was not met, 12 no display, 13 a log in which nothing can be judged, 129/130/143 stopped by SIGHUP, SIGINT, SIGTERM.",
    ),
    word(
        &["creep_error", "drift_error"],
        "Error bar of the drift `creep` of a verified run [m/s], |D₁ − D| + |D₃ − D|: the drifts at the step and at its smallest part from the limit D for a small step. Empty where these drifts do not converge.",
    ),
    word(
        &["creep_change", "not steady", "steady"],
        "(v₂ − v₁)/v₂ of the mean drifts v₁ and v₂ over the two halves of its window. Above .01 the drift is not steady: a soft body still relaxes, within a time of about μ N/(ε k) of a contact on a spring k. A window that begins later (time.drift_from, or a longer time.end) shows the steady creep.",
    ),
    word(
        &["estimate", "estimate by balance", "balance"],
        "A drift in parts from the forces of one run, without another to compare with: the law's creep under the force that each contact had, and the rest. With --verify the parts come from runs at other steps. See docs/creep.md.",
    ),
    word(
        &["not known", "unsettled", "parts are known"],
        "No comparison that could be made says it: the runs do not converge, are at fault themselves, or the law has no closed form there.",
    ),
    word(
        &["steady_creep", "steady creep of", "steady creep", "closed_form", "law at load ratio"],
        "The law's closed form at the load ratio of the body at the end [m/s]: the creep that a drift comes to under a constant load, whatever the integrator. Empty without one load and one normal, and where friction bears another force than that load, as of a body that accelerates, rides along or settles.",
    ),
    word(
        &["stretch_creep", "sliding_creep", "lag_creep", "integrator_creep"],
        "Parts of the drift `creep` of the first body in contact [m/s], in CSV of `compare` and `sweep`: stretch of contacts, sliding, what a lagged normal force adds, and the integrator's. See `parts of`.",
    ),
    word(
        &["travel", "moved"],
        "Distance of the centre of mass of the first body from its start at the end [m].",
    ),
    word(
        &["downhill"],
        "Measure of the scene that `stiction new` writes: mean velocity of the box down its slope since the frame before, of the kind `creep` [m/s].",
    ),
    word(
        &["measure_"],
        "A measure of the scene whose name is that of another column: measure_NAME is the measure NAME at the end; its error bar is measure_NAME_error.",
    ),
    word(
        &["level"],
        "Level of the verdict in CSV and JSON: not-trusted, no-fault-found, or trusted, with error_share as the share of the scale of the least certain measure.",
    ),
    word(
        &["reasons"],
        "Names of the reasons against trusting a run; `stiction explain NAME` has the page of each.",
    ),
    word(
        &["error_share"],
        "Largest error of a measure of a verified run, as a share of its scale: the X % of `trusted to X %`.",
    ),
    word(
        &["expectations_met"],
        "Whether a run meets all expectations of [expect]: true or false. Empty without any, and where a key of the scene was changed, since they are for the scene as written.",
    ),
    word(
        &["job"],
        "Number of a run of a sweep, from 0, in the order of its keys; its results are in jobs/NUMBER.json.",
    ),
    word(&["message"], "Error with which a job of a sweep failed."),
    word(
        &["state_hash", "hash"],
        "Hash of the last positions and velocities: the same on every machine for the same run.",
    ),
    word(
        &["iterations", "linear_iterations"],
        "Iterations of Newton's method, and of its linear solver, over all steps of a run.",
    ),
    word(
        &["period", "like cycles", "like cycles found after"],
        "Mean time of a cycle of a measure [s]: `reduce = \"period\"`, over the steps from its `from` on. None with fewer than two complete ones there, or with two whose lengths differ by more than a tenth: a longer time.end, or a `from` after the first stroke, shows it.",
    ),
    word(
        &["swing", "peak to peak", "like falls and rises found"],
        "Twice the amplitude: the mean of the mean fall and the mean rise of a measure between its turning points, from its `from` on: `reduce = \"swing\"`. Neither a drift of up to a fifth of it a cycle nor a first stroke from rest is in it, but where later strokes are less than half the first one a `from` behind it is needed. None before a fall and a rise are complete, and where strokes that die down by more than two fifths a cycle were left out.",
    ),
    word(
        &[
            "μ",
            "mu",
            "μ_s",
            "mu_s",
            "μ_k",
            "mu_k",
            "friction coefficient",
            "static friction",
            "kinetic friction",
        ],
        "Coefficients of friction, tangential over normal force: the static one μ_s bounds what holds, the kinetic one μ_k ≤ μ_s acts in slip. Keys static_friction and kinetic_friction of [materials.NAME]; a pair of materials has those of [pairing].",
    ),
    word(
        &["k_n", "k", "c"],
        "Stiffness k_n [N/m] and damping c [N·s/m] of one contact along its normal: contact.normal.stiffness and .damping. A body of weight W on n contacts stands W/(n k_n) deep.",
    ),
    word(
        &["stick", "slip", "stick-slip"],
        "A contact sticks while it is inside the threshold ε or the cone μ_s N, and slips beyond. A law with a threshold creeps while it sticks. Stick–slip: a load that grows slowly is held up to μ_s N, then falls in a slip against μ_k N, again and again: scenes/stick_slip.toml.",
    ),
    word(
        &["friction limit", "step above friction limit"],
        "Largest step at which friction that sticks is stable: the decay limit of the method over λ = μ_s N/(m ε). Above it friction may chatter or stop too late though nothing grows. A larger ε, a smaller step or an implicit method. `stiction stiffness SCENE` has the numbers.",
    ),
    word(
        &["hand"],
        "Spring between the pointer and a body in the window, or a body of a single particle that a scene moves: it pulls, and belongs to no contact.",
    ),
    word(
        &["push"],
        "Force on a body or on some of its particles, [[push]]: force [N], with `factor` over time. In the window a press of the right button pushes.",
    ),
    word(&["height"], "Height z of a centre of mass, or of the point at which a push acts [m]."),
    word(
        &["hangs", "held"],
        "A body that is in contact and not tilted as much as to tip. `hangs`: it is in contact, and nothing below bears it.",
    ),
    word(
        &["slid of", "slipped", "slid"],
        "Time in which contacts of a body slid, weighted with N, since t = 0 [s], and the first and last frames around it; `never` of one that stuck. The sizes of frames (time.output) bound the times.",
    ),
    word(
        &["press", "pressed", "presses"],
        "The angle between the force of all contacts on a body and their normal: tan = |F|/Σ N. A body that rests on a slope of 14.69° presses at 14.69°.",
    ),
    word(
        &["own"],
        "In `tune`: law, ε, method and step of the scene itself, which is run, and verified, before the search.",
    ),
    word(
        &["least certain", "scale", "of its scale", "off by", "worst eighth"],
        "Of a verified run the measure with the largest error for its scale, where that is largest: the scale is the largest value of the measure, for positions the largest distance from their mean, for places that go by jumps or swings half the largest one.",
    ),
    word(
        &["compared with", "all steps agree"],
        "The runs by which a run is verified: the same scene at other steps or by another method, with the least order by which measures approach each other as the step falls, where smaller steps were asked.",
    ),
    word(
        &["places"],
        "In `compare` and verified runs without measures: positions, whose error is given as a share of the travel.",
    ),
    word(
        &["like cycles", "complete cycle", "cycle"],
        "From one rise of a measure through the middle between its last two turning points to the next. It turns where it comes back by more than half the range of its last seven turning points: smaller turns are ripples and no cycles, until it has not turned for the time of six strokes, and what has died down to a fiftieth of the largest stroke no longer counts. Cycles that have ended still do. Cycles are alike whose lengths differ by at most a tenth.",
    ),
    word(
        &["completed", "interrupted", "failed", "ended", "began"],
        "How a run ended: it completed its time, was interrupted by a signal or a limit, or failed with the error that is printed. `it began so` names a doubt about the state at t = 0.",
    ),
    word(&["now at"], "Speed of a centre of mass in the last state [m/s]."),
    word(
        &["window", "over"],
        "The time over which a drift is taken: the last quarter of the run, or what follows `time.drift_from`.",
    ),
    word(
        &["holds", "not judged"],
        "In `tune`: its run kept creep, penetration and energy within the budget, at that step and law. Not judged: it was stopped before.",
    ),
    word(
        &[
            "creep v",
            "in a minute",
            "step reckoned with",
            "load T",
            "contacts n",
            "inverse weights A of both bodies",
            "refsafe",
            "damping b of aref",
            "depth of the first contact",
        ],
        "Rows of `creep`: the speed at which the load slides and its distance in a minute; the tangential load T and the number n of contacts that share it; the step by which the limit is judged. The others are the engine's own quantities: its formula below the table has them.",
    ),
    word(
        &["without effect on any measure"],
        "A symptom that the watches found, and that runs at other steps found to move no measure of the run.",
    ),
    word(
        &["but it began so"],
        "What the state at t = 0 foretells whatever the step: a body that falls for ever, or that begins inside another.",
    ),
    word(
        &["ESTIMATE", "exact where it was compared"],
        "How far the formula of `creep` was confirmed: by runs of the engine itself, named there, or not in this case.",
    ),
    word(
        &["put off"],
        "In `tune`: a run that was stopped since it cost more than was allowed at that moment: a ceiling that grows fourfold until something holds, or the price of the best so far. It is not judged.",
    ),
    word(&["eval./s"], "Force evaluations a simulated second (`tune --cost evaluations`)."),
];
